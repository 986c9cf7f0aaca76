/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/time.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"

/* A message: who sends and receives it, and its moves there. */
struct transit {
	uint32_t from, to;
	uint32_t send, receive; /* numbers of moves of all places, in order */
};

struct ensemble {
	uint32_t P, root;
	struct schedule *of;
	uint32_t *begin; /* of a place's moves among those of all; P + 1 */
	struct transit *meetings;
	uint32_t *meets; /* of a send, by its number: its meeting */
	uint32_t nmeetings;
};

/* The k-th send of one place to another, and the k-th receive there, get the same rank here. */
struct end {
	uint32_t from, to, move;
};

static int by_places(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->move < y->move ? -1 : x->move > y->move;
}

/* All sends, or all receives, by their places. Returns how many. */
static uint32_t list_ends(const struct ensemble *e, enum move_kind kind, struct end *ends)
{
	uint32_t n = 0;

	for (uint32_t v = 0; v < e->P; v++)
		for (uint32_t i = 0; i < e->of[v].nmoves; i++) {
			const struct move *m = &e->of[v].moves[i];

			if (m->kind != kind)
				continue;
			ends[n++] = kind == MOVE_SEND ? (struct end){ v, m->peer, e->begin[v] + i }
						      : (struct end){ m->peer, v, e->begin[v] + i };
		}
	qsort(ends, n, sizeof(*ends), by_places);
	return n;
}

static uint64_t length_of(const struct ensemble *e, uint32_t place, uint32_t move)
{
	return e->of[place].moves[move - e->begin[place]].len;
}

/* Finds the receive of each send. False without memory, or if they do not meet. */
static bool meet(struct ensemble *e)
{
	uint32_t all = e->begin[e->P], n;
	struct end *sends = calloc(all + 1UL, sizeof(*sends));
	struct end *receives = calloc(all + 1UL, sizeof(*receives));
	bool good = sends && receives;

	n = good ? list_ends(e, MOVE_SEND, sends) : 0;
	good = good && list_ends(e, MOVE_RECEIVE, receives) == n;
	e->nmeetings = n;
	e->meetings = calloc(n + 1UL, sizeof(*e->meetings));
	e->meets = calloc(all + 1UL, sizeof(*e->meets));
	good = good && e->meetings && e->meets;
	for (uint32_t i = 0; i < n && good; i++) {
		const struct end *s = &sends[i], *r = &receives[i];

		good = s->from == r->from && s->to == r->to &&
		       length_of(e, s->from, s->move) == length_of(e, r->to, r->move);
		e->meetings[i] = (struct transit){ s->from, s->to, s->move, r->move };
		e->meets[s->move] = i;
	}
	free(sends);
	free(receives);
	return good;
}

struct ensemble *ensemble_make(const struct algorithm *of, const struct shape *a)
{
	struct ensemble *e = calloc(1, sizeof(*e));
	bool good = e;

	if (!e)
		return NULL;
	e->P = a->P;
	e->root = a->root;
	e->of = calloc(a->P, sizeof(*e->of));
	e->begin = calloc(a->P + 1UL, sizeof(*e->begin));
	good = e->of && e->begin;
	for (uint32_t v = 0; v < a->P && good; v++) {
		good = !algorithm_schedule(of, a, v, &e->of[v]);
		e->begin[v + 1] = e->begin[v] + e->of[v].nmoves;
	}
	if (good && meet(e))
		return e;
	ensemble_free(e);
	return NULL;
}

void ensemble_free(struct ensemble *e)
{
	if (!e)
		return;
	for (uint32_t v = 0; v < e->P && e->of; v++)
		schedule_free(&e->of[v]);
	free(e->of);
	free(e->begin);
	free(e->meetings);
	free(e->meets);
	free(e);
}

const struct schedule *ensemble_schedule(const struct ensemble *e, uint32_t place)
{
	return &e->of[place];
}

/* ---- the rule ---- */

/* A message on its way, and when its first byte is there. The lower rank's is first of equals. */
struct incoming {
	double head;
	uint32_t from; /* rank */
	uint32_t send, meeting;
};

static bool arrives_first(struct incoming a, struct incoming b)
{
	if (a.head < b.head || a.head > b.head)
		return a.head < b.head;
	return a.from < b.from || (a.from == b.from && a.send < b.send);
}

HEAP(arrivals, struct incoming, arrives_first, HEAP_UNTRACKED)

/* A place: its processor's time, when the sides of its interface are free, and its step. */
struct worker {
	double now, out_free, in_free;
	uint32_t step;
	uint32_t awaited; /* receives of the step not yet taken */
};

/* A message that is there but was not yet asked for. */
struct waiting {
	double there;
	uint32_t order; /* of its head among all; 0: it is not there */
};

struct evaluation {
	const struct ensemble *e;
	const struct loggp *p;
	double c;
	struct worker *worker;
	struct waiting *waiting; /* by the number of the receive */
	uint32_t *sorted; /* room for a step's receives */
	struct incoming *coming;
	uint32_t ncoming, arrived;
};

static void take(struct evaluation *v, struct worker *w, double there)
{
	w->now = fmax(w->now, there) + v->p->o_r;
	w->awaited--;
}

/* Takes those messages of a step that came before it, in the order of their heads. */
static void take_early(struct evaluation *v, uint32_t place, uint32_t from, uint32_t to)
{
	struct worker *w = &v->worker[place];
	uint32_t n = 0;

	for (uint32_t i = from; i < to; i++) {
		uint32_t at = n;

		if (!v->waiting[i].order)
			continue;
		for (; at && v->waiting[v->sorted[at - 1]].order > v->waiting[i].order; at--)
			v->sorted[at] = v->sorted[at - 1];
		v->sorted[at] = i;
		n++;
	}
	for (uint32_t i = 0; i < n; i++)
		take(v, w, v->waiting[v->sorted[i]].there);
}

/* Posts what a step posts. Local moves take their time. */
static void begin_step(struct evaluation *v, uint32_t place)
{
	const struct schedule *s = &v->e->of[place];
	struct worker *w = &v->worker[place];
	uint32_t first = s->first[w->step], end = s->first[w->step + 1];
	uint32_t begin = v->e->begin[place];

	for (uint32_t i = first; i < end; i++) {
		const struct move *m = &s->moves[i];
		double x;

		w->awaited += m->kind == MOVE_RECEIVE;
		if (m->kind == MOVE_ADD)
			w->now += v->c * (double)m->len;
		if (m->kind != MOVE_SEND)
			continue;
		w->now += v->p->o_s;
		x = fmax(w->now, w->out_free);
		w->out_free = x + loggp_gamma(v->p, m->len);
		arrivals_push(v->coming, &v->ncoming,
			      (struct incoming){ x + v->p->L, (place + v->e->root) % v->e->P,
						 begin + i, v->e->meets[begin + i] });
	}
	take_early(v, place, begin + first, begin + end);
}

/* Does the steps of a place until one waits for a message that is not there. */
static void go_on(struct evaluation *v, uint32_t place)
{
	struct worker *w = &v->worker[place];

	while (!w->awaited && ++w->step < v->e->of[place].nsteps)
		begin_step(v, place);
}

/* Whether its place is in the step of the receive with that number. */
static bool is_awaited(const struct evaluation *v, uint32_t place, uint32_t receive)
{
	const struct schedule *s = &v->e->of[place];
	uint32_t step = v->worker[place].step, i = receive - v->e->begin[place];

	return v->worker[place].awaited && i >= s->first[step] && i < s->first[step + 1];
}

static void arrive(struct evaluation *v, struct incoming a)
{
	const struct transit *m = &v->e->meetings[a.meeting];
	struct worker *w = &v->worker[m->to];
	double begin = fmax(a.head, w->in_free);
	double there = begin + v->p->G * loggp_tail(length_of(v->e, m->to, m->receive));

	w->in_free = there + v->p->g;
	if (!is_awaited(v, m->to, m->receive)) {
		v->waiting[m->receive] = (struct waiting){ there, ++v->arrived };
		return;
	}
	take(v, w, there);
	go_on(v, m->to);
}

/* The latest of the places; negative if one is not done. */
static double last_end(const struct evaluation *v, double *ended)
{
	double last = 0;

	for (uint32_t i = 0; i < v->e->P; i++) {
		if (v->worker[i].step < v->e->of[i].nsteps)
			return -1;
		if (ended)
			ended[i] = v->worker[i].now;
		last = fmax(last, v->worker[i].now);
	}
	return last;
}

double ensemble_time(const struct ensemble *e, const struct loggp *p, double c, double *ended)
{
	size_t all = e->begin[e->P] + 1UL;
	struct evaluation v = { .e = e,
				.p = p,
				.c = c,
				.worker = calloc(e->P, sizeof(*v.worker)),
				.waiting = calloc(all, sizeof(*v.waiting)),
				.sorted = calloc(all, sizeof(*v.sorted)),
				.coming = calloc(e->nmeetings + 1UL, sizeof(*v.coming)) };
	double last = -1;

	if (v.worker && v.waiting && v.sorted && v.coming) {
		for (uint32_t i = 0; i < e->P; i++) {
			v.worker[i].step = UINT32_MAX;
			go_on(&v, i);
		}
		while (v.ncoming)
			arrive(&v, arrivals_pop(v.coming, &v.ncoming));
		last = last_end(&v, ended);
	}
	free(v.worker);
	free(v.waiting);
	free(v.sorted);
	free(v.coming);
	return last;
}

double schedule_time(const struct algorithm *of, const struct shape *a, const struct loggp *p,
		     double c)
{
	struct ensemble *e = ensemble_make(of, a);
	double time = e ? ensemble_time(e, p, c, NULL) : -1;

	ensemble_free(e);
	return time;
}
