/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/stats.h"
#include "cmd/load/actor.h"
#include "cmd/load/aggressor.h"
#include "cmd/load/group.h"
#include "cmd/load/instants.h"
#include "cmd/load/pair.h"
#include "measure/plan/program.h"

#define LATE 0.05	/* a send is late if its delay exceeds this share of the median latency */

/*
 * A rank that does not look at the clock for longer than this had no processor: a fixed time, s,
 * and the time to copy a message, s per byte.
 */
#define LONGEST_LOOK_S 2e-3
#define SLOWEST_COPY_S 1e-9

/* ---- buffers ---- */

static uint32_t victim_depth(const struct load_args *a)
{
	if (a->victim == VICTIM_BANDWIDTH)
		return a->victim_window;
	return a->rate > 0 ? a->outstanding : 1;
}

/* Returns the largest number of buffers of any role, because any rank may get any role. */
static int buffers_of_any_role(const void *args)
{
	const struct load_args *a = args;
	int victim = GROUP_BUFFERS * (int)victim_depth(a);
	int aggressor = (int)(2 * LOAD_DEPTH + actor_slots(a));

	return victim > aggressor ? victim : aggressor;
}

static int count_buffers(const void *args, int rank)
{
	return buffers_of_any_role(args);
}

/* ---- a rank's part ---- */

static int open_ring(struct message_slots *r, uint32_t n, void *const **bufs)
{
	*r = (struct message_slots){ .req = calloc(n, sizeof(*r->req)), .buf = *bufs, .n = n };
	*bufs += n;
	for (uint32_t i = 0; i < n && r->req; i++)
		r->req[i].done = true;
	return r->req ? 0 : -1;
}

static void close_actor(void *state)
{
	struct actor *a = state;

	if (!a)
		return;
	free(a->in.req);
	free(a->out.req);
	free(a->acks.req);
	group_close(a->group);
	free(a->events);
	free(a->due);
	free(a);
}

static int open_role(struct actor *a, size_t len, void *const *bufs)
{
	uint32_t depth = victim_depth(&a->args);

	if (a->role == LOAD_ROLE_AGGRESSOR)
		return open_ring(&a->in, LOAD_DEPTH, &bufs) ||
		       open_ring(&a->acks, LOAD_DEPTH, &bufs) ||
		       open_ring(&a->out, actor_slots(&a->args), &bufs);
	if (a->role == LOAD_ROLE_IDLE)
		return 0;
	if (a->role == LOAD_ROLE_ASKER || a->args.victim == VICTIM_ALLREDUCE) {
		a->room = LOAD_MOST_EVENTS;
		if (a->args.rate > 0 && instants_room(a->args.rate * a->args.epoch_s) < a->room)
			a->room = instants_room(a->args.rate * a->args.epoch_s);
		a->events = calloc(a->room, sizeof(*a->events));
		if (!a->events)
			return -1;
	}
	if (a->args.victim == VICTIM_ALLREDUCE) {
		a->group = group_open(a, len, bufs);
		return a->group ? 0 : -1;
	}
	a->partner = cast_partner(a->args.cast, a->rank);
	return open_ring(&a->in, depth, &bufs) || open_ring(&a->out, depth, &bufs);
}

static void *open_actor(struct endpoint *ep, const void *args, size_t len, void *const *bufs)
{
	struct actor *a = calloc(1, sizeof(*a));
	int rank = ep->job->rank;

	if (!a)
		return NULL;
	*a = (struct actor){ .ep = ep, .be = ep->be, .args = *(const struct load_args *)args,
			     .rank = rank };
	a->role = a->args.cast->role[rank];
	a->place = a->args.cast->at[rank];
	/* in virtual time, a rank has a processor of its own */
	a->longest_look = ep->caps & CAP_VIRTUAL ? INFINITY :
			  (LONGEST_LOOK_S + SLOWEST_COPY_S * (double)a->args.aggressor_size) /
			  ep->tick_s;
	if (!open_role(a, len, bufs))
		return a;
	close_actor(a);
	return NULL;
}

/* ---- epochs ---- */

void load_set_epoch(void *state, const struct load_epoch *epoch)
{
	((struct actor *)state)->epoch = *epoch;
}

static bool takes_part(const struct actor *a)
{
	if (a->role == LOAD_ROLE_IDLE)
		return false;
	return a->role == LOAD_ROLE_AGGRESSOR ? a->epoch.aggressors : a->epoch.victims;
}

/*
 * Draws the times at which a rank's events or messages are due, in ticks from the begin of the
 * epoch; `gap_s` is their mean distance. Returns ST_OK or ST_FAILED (reported).
 */
static int draw_times(struct actor *a, struct rng *rng, double gap_s, bool periodic)
{
	size_t room = instants_room(a->args.epoch_s / gap_s);

	free(a->due);
	a->due = malloc(room * sizeof(*a->due));
	if (!a->due)
		return error_report("no memory for the instants of an epoch");
	a->ndue = instants_draw(rng, gap_s / a->ep->tick_s, a->args.epoch_s / a->ep->tick_s,
				periodic, a->due, room);
	return ST_OK;
}

static int arm_actor(void *state, uint64_t loops)
{
	struct actor *a = state;
	bool presses = a->role == LOAD_ROLE_AGGRESSOR;
	struct rng rng;
	int err = ST_OK, drawer = a->rank;

	a->did = (struct load_outcome){ .posted = 1 };
	a->nevents = a->nended = a->ndue = 0;
	if (!takes_part(a))
		return ST_OK;
	/* all victims of a group begin their events together */
	if (a->group)
		drawer = a->args.cast->victim[0];
	rng_seed(&rng, a->args.seed ^ (a->epoch.number + 1) << 24 ^ (uint64_t)drawer << 44);
	if (presses && a->epoch.gap_s > 0)
		err = draw_times(a, &rng, a->epoch.gap_s, a->args.aggressors_periodic);
	else if (a->events && a->args.rate > 0)
		err = draw_times(a, &rng, 1 / a->args.rate, a->args.victims_periodic);
	if (a->events)
		a->nevents = a->ndue < a->room ? a->ndue : a->room;
	a->in.posted = a->in.taken = 0;
	for (uint32_t i = 0; i < a->in.n && !err; i++)
		err = post_receive(a, presses ? a->args.aggressor_size : a->args.victim_size);
	return err;
}

static int run_load_epoch(void *state, double *stamps, double *seconds)
{
	struct actor *a = state;
	double length = a->args.epoch_s / a->ep->tick_s;
	int err = ST_OK;

	a->begin = actor_now(a);
	a->counted = a->begin + LOAD_SETTLES * length;
	a->end = a->begin + length;
	a->looked = a->begin;
	a->absent = 0;
	/* the drawn times count from the begin of the epoch */
	for (size_t i = 0; i < a->ndue; i++)
		a->due[i] += a->begin;
	for (size_t i = 0; i < a->nevents; i++)
		a->events[i].due = a->due[i];
	if (takes_part(a) && a->role == LOAD_ROLE_AGGRESSOR)
		err = aggressor_run(a);
	else if (takes_part(a) && a->args.victim == VICTIM_ALLREDUCE)
		err = group_run(a);
	else if (takes_part(a) && a->args.victim == VICTIM_BANDWIDTH)
		err = pair_run(a, a->args.victim_window);
	else if (takes_part(a))
		err = pair_run(a, 1);
	*seconds = (actor_now(a) - a->begin) * a->ep->tick_s;
	if (!err)
		err = actor_complete_sends(a, &a->out);
	return err ? err : actor_complete_sends(a, &a->acks);
}

int load_complete_receives(void *state)
{
	struct actor *a = state;
	const struct cast *c = a->args.cast;
	struct head head = { MARK, (uint64_t)a->rank };
	bool presses = a->role == LOAD_ROLE_AGGRESSOR;
	size_t len = presses ? sizeof(head) : LOAD_VICTIM_LEAST;
	int err = ST_OK, to;

	if (!takes_part(a))
		return ST_OK;
	to = presses ? c->aggressor[(a->place + 1) % c->naggressors] : a->partner;
	for (uint32_t i = 0; i < a->in.n && !err; i++) {
		err = send_from_ring(a, &a->out, to, &head, len, len);
		if (!err)
			err = a->be->wait(a->ep, &a->in.req[a->in.taken++ % a->in.n]);
	}
	return err ? err : actor_complete_sends(a, &a->out);
}

/* ---- collecting the measurements ---- */

/* Returns whether a time is within the counted part of the epoch. */
static bool is_in_counted_part(const struct actor *a, double t)
{
	return t >= a->counted && t < a->end;
}

/*
 * Returns the number of sends that were late: delayed by more than LATE times the median of the n
 * latencies (s).
 */
static uint64_t count_late(const struct actor *a, const double *latency, size_t n)
{
	double *copy = malloc((n + 1) * sizeof(*copy)), most;
	uint64_t late = 0;

	if (!copy || !n) {
		free(copy);
		return 0;
	}
	memcpy(copy, latency, n * sizeof(*copy));
	most = LATE * median(copy, n) / a->ep->tick_s;
	free(copy);
	for (size_t i = 0; i < a->nended; i++)
		late += is_in_counted_part(a, a->events[i].due) &&
			a->events[i].sent - a->events[i].due > most;
	return late;
}

/* Converts ticks to s, rounded to whole picoseconds, so that equal durations give equal numbers. */
static double to_whole_ps(const struct actor *a, double ticks)
{
	return round(ticks * a->ep->tick_s * 1e12) * 1e-12;
}

int load_collect(void *state, struct load_outcome *did, struct series *latency,
		 struct series *service)
{
	struct actor *a = state;
	size_t first = latency->n;
	int err = 0;

	/* if there was no room for more events, the counted part ended with the last event */
	if (a->role == LOAD_ROLE_ASKER && !(a->args.rate > 0) && a->nended == a->room)
		a->end = a->events[a->room - 1].ended;
	for (size_t i = 0; i < a->nevents; i++)
		a->did.due += is_in_counted_part(a, a->events[i].due);
	for (size_t i = 0; i < a->nended && !err; i++) {
		const struct event *e = &a->events[i];

		a->did.ended += is_in_counted_part(a, e->ended);
		if (is_in_counted_part(a, e->due))
			err = series_push(latency, to_whole_ps(a, e->ended - e->due)) ||
			      series_push(service, to_whole_ps(a, e->ended - e->sent));
	}
	if (a->role == LOAD_ROLE_ASKER && !err)
		a->did.late_sends = count_late(a, latency->s + first, latency->n - first);
	a->did.counted_s = (a->end - a->counted) * a->ep->tick_s;
	a->did.late_s *= a->ep->tick_s;
	*did = a->did;
	return err ? -1 : 0;
}

/* ---- the program ---- */

static int count_ranks(const void *args)
{
	const struct load_args *a = args;

	return a->cast ? a->cast->ranks : 0;
}

static uint64_t always_one(const void *args)
{
	return 1;
}

static double longest_epoch(const void *args, double message_s)
{
	const struct load_args *a = args;

	return 2 * a->epoch_s + 10 * LOAD_DEPTH * message_s;
}

static bool is_timed(const void *args, int rank)
{
	return true;
}

/* Reports no checks and no errors, because the outcome of each epoch already has them. */
static uint64_t report_no_verdict(void *state, uint64_t *errors)
{
	*errors = 0;
	return 0;
}

static void *make_no_tally(struct session *s, void *state)
{
	return NULL;
}

static const struct program load_program = {
	.ranks = count_ranks,
	.messages = always_one,
	.steady = always_one,
	.longest = longest_epoch,
	.buffers = count_buffers,
	.most_buffers = buffers_of_any_role,
	.is_timed = is_timed,
	.open = open_actor,
	.arm = arm_actor,
	.run = run_load_epoch,
	.verdict = report_no_verdict,
	.tally = make_no_tally,
	.close = close_actor,
};

const struct pattern pattern_load = {
	.name = "load", .needs = CAP_PAIR | CAP_MSG | CAP_ANY, .program = &load_program,
};
