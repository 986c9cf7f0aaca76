/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sync.h"

#include <math.h>
#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "job/watchdog.h"

const char *const sync_names[] = { "auto", "barrier", "window", NULL };

/*
 * A comparison of clocks makes at least EXCHANGES exchanges. After these, it ends when IN_VAIN
 * exchanges in a row were not quicker than the quickest so far.
 */
#define EXCHANGES 300
#define IN_VAIN 100

/*
 * With more ranks than this, comparing their clocks with rank 0's one after the other would take
 * too long.
 */
#define MOST_IN_TURN 64

/* A fit of the drift needs comparisons that are at least this far apart, s (section 6). */
#define FIT_S 0.5
/* Longest time between two comparisons, s. */
#define COMPARE_S 60

#define LEAD_S 50e-6
#define LEAD_MAX_S 20e-3

/*
 * A message from rank 0 during a comparison of clocks. If more != 0, the message asks for the next
 * answer. If more is 0, the message ends the comparison and gives the result.
 */
struct ask {
	double more, offset_s, rtt_s;
};

/* Returns the time on the clock of the endpoint, s. */
static double now_s(const struct sync *s)
{
	return s->ep->be->now(s->ep) * s->ep->tick_s;
}

/*
 * Sends to a peer if `send`, or else receives from it. Waits for completion. Returns ST_OK or the
 * status of a fault.
 */
static int transfer_and_wait(struct sync *s, bool send, int peer, void *buf, size_t len)
{
	const struct backend *be = s->ep->be;
	struct request r;
	int err = send ? be->isend(s->ep, peer, buf, len, &r)
		       : be->irecv(s->ep, peer, buf, len, &r);

	return err ? err : be->wait(s->ep, &r);
}

/*
 * Compares this rank's clock with that of a peer. The quickest of many exchanges gives the best
 * estimate of the offset. `mine` is this rank's own offset from rank 0; the peer gets the sum of
 * both offsets, and of both round trips. Returns ST_OK or the status of a fault.
 */
static int compare_with_peer(struct sync *s, int peer, const struct ask *mine)
{
	struct ask ask = { .more = 1, .rtt_s = INFINITY };
	int in_vain = 0, err = ST_OK;

	for (int i = 0; !err && (i < EXCHANGES || in_vain < IN_VAIN); i++) {
		double there = 0, before = now_s(s), after;

		err = transfer_and_wait(s, true, peer, &ask, sizeof(ask));
		if (!err)
			err = transfer_and_wait(s, false, peer, &there, sizeof(there));
		after = now_s(s);
		doing_step(s->job->doing);
		in_vain++;
		if (after - before >= ask.rtt_s)
			continue;
		ask.rtt_s = after - before;
		ask.offset_s = before + ask.rtt_s / 2 - there;
		in_vain = 0;
	}
	ask.more = 0;
	ask.offset_s += mine->offset_s;
	ask.rtt_s += mine->rtt_s;
	return err ? err : transfer_and_wait(s, true, peer, &ask, sizeof(ask));
}

/*
 * Replies to a peer with the time on this rank, until the peer gives the result in *mine. Returns
 * ST_OK or the status of a fault.
 */
static int answer_peer(struct sync *s, int peer, struct ask *mine)
{
	int err = ST_OK;

	for (mine->more = 1; mine->more != 0 && !err; ) {
		double here;

		err = transfer_and_wait(s, false, peer, mine, sizeof(*mine));
		here = s->last_s = now_s(s);
		if (!err && mine->more != 0)
			err = transfer_and_wait(s, true, peer, &here, sizeof(here));
	}
	return err;
}

/*
 * Compares the clocks of all ranks with the clock of rank 0. Up to MOST_IN_TURN ranks do so one
 * after the other. More ranks form a binomial tree (COLLECTIVES.md section 6): in each round, each
 * rank that knows its offset compares its clock with that of one more rank, all pairs at the same
 * time. Returns ST_OK or the status of a fault.
 */
static int compare_clocks(struct sync *s)
{
	int rank = s->job->rank, size = s->job->size, err = ST_OK;
	bool tree = size > MOST_IN_TURN;
	struct ask mine = { 0 };
	const double *rtt;

	s->last_s = now_s(s);
	doing_round(s->job->doing, DOING_NO_SIZE, size, rank && !tree ? 0 : -1);
	for (int known = 1; tree && known < size && !err; known *= 2) {
		if (rank < known && rank + known < size)
			err = compare_with_peer(s, rank + known, &mine);
		else if (rank >= known && rank < 2 * known)
			err = answer_peer(s, rank - known, &mine);
	}
	if (rank && !tree)
		err = answer_peer(s, 0, &mine);
	for (int r = 1; !rank && !tree && r < size && !err; r++)
		err = compare_with_peer(s, r, &mine);
	doing_round_end(s->job->doing);
	if (err)
		return err;
	rtt = s->job->kind->gather(s->job, &mine.rtt_s, sizeof(mine.rtt_s));
	for (int r = 0; rtt && r < s->job->size; r++)
		s->error_s = fmax(s->error_s, rtt[r] / 2);
	s->last_offset_s = mine.offset_s;
	return ST_OK;
}

/*
 * Returns the offset at time t of this rank's clock, s: the clock of rank 0 minus the clock of this
 * rank.
 */
static double clock_offset_at(const struct sync *s, double t)
{
	return s->last_offset_s + s->drift * (t - s->last_s);
}

int sync_open(struct sync *s, struct endpoint *ep, enum sync_scheme asked, bool timed,
	      bool common)
{
	struct job *job = ep->job;
	struct ranks {
		int timed, share_cpus;
	} sum = { 0 }, mine = { timed, job->local_size > job->cpus };
	const struct ranks *all = job->kind->gather(job, &mine, sizeof(mine));
	const char *against;
	int err;

	*s = (struct sync){ .ep = ep, .job = job, .lead_s = LEAD_S };
	s->shares_cpus = mine.share_cpus;
	for (int r = 0; all && r < job->size; r++) {
		sum.timed += all[r].timed;
		sum.share_cpus += all[r].share_cpus;
	}
	job->kind->bcast(job, &sum, sizeof(sum));
	if (asked == SYNC_WINDOW && !(ep->caps & CAP_MSG))
		return error_unavailable("'--sync window' needs 'msg', which backend '%s' does "
					 "not offer", ep->be->name);
	against = sum.timed < 3 && !common ? "fewer than three ranks are timed"
		  : ep->caps & CAP_VIRTUAL ? "time is virtual"
		  : !(ep->caps & CAP_MSG)  ? "the backend has no messages to compare clocks with"
		  : sum.share_cpus	   ? "ranks share CPUs"
					   : NULL;
	s->scheme = asked != SYNC_AUTO ? asked : against ? SYNC_BARRIER : SYNC_WINDOW;
	s->why = asked != SYNC_AUTO ? "as asked for"
		 : against	    ? against
	  : common	    ? "each operation has a start of its own, each rank a CPU"
			    : "three or more ranks are timed, each with a CPU";
	if (s->scheme == SYNC_BARRIER)
		return ST_OK;
	err = compare_clocks(s);
	s->first_s = s->last_s;
	s->first_offset_s = s->last_offset_s;
	return err;
}

bool sync_is_comparison_due(double between_s, double since_s)
{
	/* 0.82 solves (1 + x)^2 + x^2 = 4 */
	return between_s <= FIT_S || since_s > fmin(0.82 * between_s, COMPARE_S);
}

int sync_compare_if_due(struct sync *s)
{
	double strayed_s;
	bool due;

	if (s->scheme == SYNC_BARRIER)
		return ST_OK;
	due = sync_is_comparison_due(s->last_s - s->first_s, now_s(s) - s->last_s);
	s->job->kind->bcast(s->job, &due, sizeof(due));
	return due ? sync_compare_again(s, &strayed_s) : ST_OK;
}

int sync_compare_again(struct sync *s, double *strayed_s)
{
	struct sync before = *s;
	int err;

	*strayed_s = 0;
	if (s->scheme == SYNC_BARRIER)
		return ST_OK;
	err = compare_clocks(s);
	*strayed_s = fabs(s->last_offset_s - clock_offset_at(&before, s->last_s));
	if (s->last_s - s->first_s > FIT_S)
		s->drift = (s->last_offset_s - s->first_offset_s) / (s->last_s - s->first_s);
	return err;
}

double sync_agree_starts(struct sync *s, double *distance_s)
{
	struct {
		double first, distance;
	} agreed = { now_s(s) + s->lead_s, *distance_s };

	s->job->kind->bcast(s->job, &agreed, sizeof(agreed));
	*distance_s = agreed.distance;
	if (!s->job->rank)
		return agreed.first;
	*distance_s *= 1 - s->drift;
	return agreed.first - clock_offset_at(s, now_s(s));
}

double sync_await_start(struct sync *s)
{
	double instant, left;

	if (s->scheme == SYNC_BARRIER) {
		s->job->kind->barrier(s->job);
		return 0;
	}
	instant = now_s(s) + s->lead_s;
	s->job->kind->bcast(s->job, &instant, sizeof(instant));
	instant -= s->job->rank ? clock_offset_at(s, now_s(s)) : 0;
	while ((left = instant - now_s(s)) > 0) {
		struct timespec nap = { 0, (long)((left - 20e-6) * 1e9) };

		if (s->shares_cpus && left > 100e-6)
			nanosleep(&nap, NULL);
		else if (s->shares_cpus)
			sched_yield();
	}
	return -left;
}

void sync_adjust_lead(struct sync *s, double latest_s, double round_s)
{
	/* a rank measures its delay by its own clock, so errors of the clocks do not matter */
	if (latest_s > 2e-6 && latest_s > 0.01 * round_s && s->lead_s < LEAD_MAX_S + 8 * s->error_s)
		s->lead_s *= 2;
}
