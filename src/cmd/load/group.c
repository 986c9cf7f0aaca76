/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/load/actor.h"
#include "measure/session.h"
#include "model/schedule/algorithms.h"

#define STOP 0x1p40	/* the leader adds it to its vector to end an epoch */
#define NUMBERS 1024	/* events add their number, modulo this */
/* number of times that ranks exchange at once */
#define CHUNK (JOB_GATHER_MAX / sizeof(double))

struct group {
	struct schedule schedule;	/* of this rank */
	double *vector[VECTORS];	/* the input is in the result */
	size_t carried;			/* number of bytes of a vector that exist in memory */
	struct request *req;		/* a request for each move of a step */
};

/* ---- the schedule ---- */

void group_close(struct group *g)
{
	if (!g)
		return;
	schedule_free(&g->schedule);
	free(g->req);
	free(g);
}

struct group *group_open(const struct actor *a, size_t len, void *const *bufs)
{
	const struct algorithm *of = algorithm_find(OPERATION_ALLREDUCE, "recursive-doubling");
	struct shape shape = { .P = (uint32_t)a->args.cast->nvictims, .k = a->args.victim_size,
			       .in_place = true };
	struct group *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->vector[VECTOR_OUT] = bufs[0];
	g->vector[VECTOR_SCRATCH] = bufs[1];
	g->carried = a->ep->limits.content_len;
	if (!algorithm_schedule(of, &shape, (uint32_t)a->place, &g->schedule) &&
	    g->schedule.scratch <= len)
		g->req = calloc(g->schedule.nmoves + 1, sizeof(*g->req));
	if (g->req)
		return g;
	group_close(g);
	return NULL;
}

/* Starts the moves of a step together, and ends them. Returns ST_OK or another ST_*. */
static int run_step(struct actor *a, const struct move *moves, uint32_t n)
{
	struct group *g = a->group;
	int err = ST_OK;

	for (uint32_t i = 0; i < n && !err; i++) {
		const struct move *m = &moves[i];
		double *part = g->vector[m->part.vector] + m->part.at / sizeof(double);
		const double *from = g->vector[m->from.vector] + m->from.at / sizeof(double);
		size_t carried = m->len < g->carried ? m->len : g->carried;
		int peer = a->args.cast->victim[m->peer];

		g->req[i].done = true;
		if (m->kind == MOVE_SEND)
			err = a->be->isend(a->ep, peer, part, m->len, &g->req[i]);
		else if (m->kind == MOVE_RECEIVE)
			err = a->be->irecv(a->ep, peer, part, m->len, &g->req[i]);
		else if (m->kind == MOVE_COPY)
			memmove(part, from, carried);
		else
			for (size_t k = 0; k < carried / sizeof(double); k++)
				part[k] += from[k];
	}
	for (uint32_t i = 0; i < n && !err; i++)
		if (!g->req[i].done)
			err = a->be->wait(a->ep, &g->req[i]);
	return err;
}

/* ---- an epoch ---- */

/*
 * Adds `mine` and the values of the other victims, each in the first element of its vector. Returns
 * the sum; NaN if a message operation fails.
 */
static double add_together(struct actor *a, double mine)
{
	const struct schedule *s = &a->group->schedule;
	double *vector = a->group->vector[VECTOR_OUT];

	*vector = mine;
	for (uint32_t i = 0; i < s->nsteps; i++)
		if (run_step(a, s->moves + s->first[i], s->first[i + 1] - s->first[i]))
			return NAN;
	return *vector;
}

int group_run(struct actor *a)
{
	bool open = a->args.rate > 0;
	double victims = a->args.cast->nvictims, before = a->begin;
	size_t due = 0;

	memset(a->group->vector[VECTOR_OUT], 0,
	       a->args.victim_size < a->group->carried ? a->args.victim_size : a->group->carried);
	for (size_t i = 0;; i++) {
		double begun, sum, number = (double)(i % NUMBERS);

		if (open)
			actor_pause_until(a, i < a->ndue ? a->due[i] : a->end);
		begun = actor_now(a);
		while (due < a->ndue && a->due[due] <= begun)
			due++;
		if (due > a->nended && due - a->nended > a->did.backlog_most)
			a->did.backlog_most = due - a->nended;
		sum = a->place + number;
		if (!a->place && (begun >= a->end || i == a->room))
			sum += STOP;
		sum = add_together(a, sum);
		if (isnan(sum))
			return ST_FAILED;
		if (sum >= STOP)
			break;
		a->did.checked++;
		a->did.errors += sum != victims * (victims - 1) / 2 + victims * number;
		a->events[i] = (struct event){ .due = open ? a->due[i] : before, .sent = begun,
					       .ended = before = actor_now(a) };
		a->nended++;
	}
	if (!open)
		a->nevents = a->nended;
	a->did.unanswered = a->nevents - a->nended;
	return ST_OK;
}

/* ---- when the last victim has ended ---- */

/* Sets the n values of all ranks to the largest value of any rank. Collective. */
static void share_largest(struct session *s, double *values, size_t n)
{
	const double *all = session_gather(s, values, n * sizeof(*values));

	for (int r = 0; session_is_root(s) && r < s->job->size; r++)
		for (size_t i = 0; i < n; i++)
			values[i] = fmax(values[i], all[(size_t)r * n + i]);
	session_bcast(s, values, n * sizeof(*values));
}

void group_join_ends(struct session *s, struct actor *a)
{
	double n = (double)a->nended, ends[CHUNK], before = a->begin;

	share_largest(s, &n, 1);
	for (size_t first = 0; first < (size_t)n; first += CHUNK) {
		size_t some = (size_t)n - first < CHUNK ? (size_t)n - first : CHUNK;

		for (size_t i = 0; i < some; i++)
			ends[i] = first + i < a->nended
					  ? (a->events[first + i].ended - a->begin) * a->ep->tick_s
					  : 0;
		share_largest(s, ends, some);
		for (size_t i = 0; i < some && a->role == LOAD_ROLE_ASKER; i++) {
			struct event *e = &a->events[first + i];

			e->ended = a->begin + ends[i] / a->ep->tick_s;
			if (!(a->args.rate > 0))
				e->due = e->sent = before;
			before = e->ended;
		}
	}
	if (a->role != LOAD_ROLE_ASKER) {
		a->nevents = a->nended = 0;
		a->did.unanswered = a->did.backlog_most = 0;
	}
}
