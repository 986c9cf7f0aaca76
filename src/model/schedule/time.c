/* SPDX-License-Identifier: Apache-2.0 */
#include "model/schedule/time.h"

#include <math.h>
#include <stdlib.h>

#include "base/heap.h"

/* A message: its sender, its receiver, and the moves that send and receive it. */
struct transit {
	uint32_t from, to;
	uint32_t send, receive; /* numbers of the moves, counted over all places */
};

struct ensemble {
	uint32_t P, root;
	struct schedule *of;
	/* number of the first move of each place, counted over all places; P + 1 values */
	uint32_t *begin;
	struct transit *messages; /* all messages */
	/* message_of_send[i]: index of the message that the move with number i sends */
	uint32_t *message_of_send;
	uint32_t nmessages;
};

/*
 * The sending or the receiving end of a message. After sorting, the k-th send and the k-th receive
 * of a pair of places have the same index.
 */
struct end {
	uint32_t from, to, move;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->move < y->move ? -1 : x->move > y->move;
}

/* Lists all sends or all receives, sorted by sender and receiver. Returns their number. */
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
	qsort(ends, n, sizeof(*ends), compare_ends);
	return n;
}

static uint64_t message_length(const struct ensemble *e, uint32_t place, uint32_t move)
{
	return e->of[place].moves[move - e->begin[place]].len;
}

/*
 * Finds the receive of each send. Returns false if memory runs out, or if sends and receives do not
 * match.
 */
static bool match_messages(struct ensemble *e)
{
	uint32_t all = e->begin[e->P], n;
	struct end *sends = calloc(all + 1UL, sizeof(*sends));
	struct end *receives = calloc(all + 1UL, sizeof(*receives));
	bool good = sends && receives;

	n = good ? list_ends(e, MOVE_SEND, sends) : 0;
	good = good && list_ends(e, MOVE_RECEIVE, receives) == n;
	e->nmessages = n;
	e->messages = calloc(n + 1UL, sizeof(*e->messages));
	e->message_of_send = calloc(all + 1UL, sizeof(*e->message_of_send));
	good = good && e->messages && e->message_of_send;
	for (uint32_t i = 0; i < n && good; i++) {
		const struct end *s = &sends[i], *r = &receives[i];

		good = s->from == r->from && s->to == r->to &&
		       message_length(e, s->from, s->move) == message_length(e, r->to, r->move);
		e->messages[i] = (struct transit){ s->from, s->to, s->move, r->move };
		e->message_of_send[s->move] = i;
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
	if (good && match_messages(e))
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
	free(e->messages);
	free(e->message_of_send);
	free(e);
}

const struct schedule *ensemble_schedule(const struct ensemble *e, uint32_t place)
{
	return &e->of[place];
}

/* ---- evaluation under LogGP ---- */

/*
 * A message that is under way. Its first byte arrives at time `head`. Of two messages with equal
 * `head`, the one from the lower rank comes first.
 */
struct incoming {
	double head;
	uint32_t from; /* rank */
	uint32_t send, message;
};

static bool arrives_first(struct incoming a, struct incoming b)
{
	if (a.head < b.head || a.head > b.head)
		return a.head < b.head;
	return a.from < b.from || (a.from == b.from && a.send < b.send);
}

HEAP(arrivals, struct incoming, arrives_first, HEAP_UNTRACKED)

/*
 * State of a place. now: time of its processor. out_free, in_free: when its two ports become free.
 * step: its current step.
 */
struct worker {
	double now, out_free, in_free;
	uint32_t step;
	/* number of receives of the step that have not received their message yet */
	uint32_t awaited;
};

/* A message whose receive has not been posted yet. */
struct waiting {
	double there; /* time at which its last byte arrives */
	/* position among all arrivals, by the time of the first byte; 0: not arrived yet */
	uint32_t order;
};

struct evaluation {
	const struct ensemble *e;
	const struct loggp *p;
	double c;
	struct worker *worker;
	struct waiting *waiting; /* waiting[i]: message of the receive whose move has number i */
	uint32_t *sorted; /* memory to sort the receives of a step */
	struct incoming *coming;
	uint32_t ncoming, arrived;
};

static void receive_message(struct evaluation *v, struct worker *w, double there)
{
	w->now = fmax(w->now, there) + v->p->o_r;
	w->awaited--;
}

/*
 * Receives the messages of a step that arrived before the step began, in the order in which their
 * first bytes arrived.
 */
static void receive_early_messages(struct evaluation *v, uint32_t place, uint32_t from, uint32_t to)
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
		receive_message(v, w, v->waiting[v->sorted[i]].there);
}

/*
 * Posts the sends and receives of the place's current step, and adds the time of the local moves.
 */
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
						 begin + i, v->e->message_of_send[begin + i] });
	}
	receive_early_messages(v, place, begin + first, begin + end);
}

/* Runs the steps of a place until a step waits for a message that has not arrived. */
static void run_steps(struct evaluation *v, uint32_t place)
{
	struct worker *w = &v->worker[place];

	while (!w->awaited && ++w->step < v->e->of[place].nsteps)
		begin_step(v, place);
}

/* Returns whether the place is now in the step of this receive and waits for messages. */
static bool is_awaited(const struct evaluation *v, uint32_t place, uint32_t receive)
{
	const struct schedule *s = &v->e->of[place];
	uint32_t step = v->worker[place].step, i = receive - v->e->begin[place];

	return v->worker[place].awaited && i >= s->first[step] && i < s->first[step + 1];
}

/*
 * Lets a message arrive. If the receive is posted, the place receives the message and continues its
 * steps.
 */
static void deliver_message(struct evaluation *v, struct incoming a)
{
	const struct transit *m = &v->e->messages[a.message];
	struct worker *w = &v->worker[m->to];
	double begin = fmax(a.head, w->in_free);
	double there = begin + v->p->G * loggp_less_one(message_length(v->e, m->to, m->receive));

	w->in_free = there + v->p->g;
	if (!is_awaited(v, m->to, m->receive)) {
		v->waiting[m->receive] = (struct waiting){ there, ++v->arrived };
		return;
	}
	receive_message(v, w, there);
	run_steps(v, m->to);
}

/* Returns the time at which the last place ended; a negative value if a place has not ended. */
static double last_end_time(const struct evaluation *v, double *ended)
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
				.coming = calloc(e->nmessages + 1UL, sizeof(*v.coming)) };
	double last = -1;

	if (v.worker && v.waiting && v.sorted && v.coming) {
		for (uint32_t i = 0; i < e->P; i++) {
			v.worker[i].step = UINT32_MAX;
			run_steps(&v, i);
		}
		while (v.ncoming)
			deliver_message(&v, arrivals_pop(v.coming, &v.ncoming));
		last = last_end_time(&v, ended);
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

double schedule_seconds(const struct algorithm *of, const struct shape *a, const struct loggp *p,
			double c)
{
	const double ns = 1e-9;
	struct loggp in_ns = { p->L / ns, p->o_s / ns, p->o_r / ns, p->g / ns, p->G / ns };

	return schedule_time(of, a, &in_ns, c / ns) * ns;
}
