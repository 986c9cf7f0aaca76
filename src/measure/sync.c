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

/* With more ranks than this, comparing the clocks one after the other would take too long. */
#define MOST_RANKS 64

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
 * Rank 0: compares its clock with that of a peer. The quickest of many exchanges gives the best
 * estimate of the offset. Returns ST_OK or the status of a fault.
 */
static int compare_with_peer(struct sync *s, int peer)
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
	return err ? err : transfer_and_wait(s, true, peer, &ask, sizeof(ask));
}

/*
 * Compares the clocks of all ranks with the clock of rank 0, one rank after the other. Returns
 * ST_OK or the status of a fault.
 */
static int compare_clocks(struct sync *s)
{
	struct ask mine = { 0 };
	bool done = s->job->rank == 0;
	const double *rtt;
	int err = ST_OK;

	s->last_s = now_s(s);
	doing_round(s->job->doing, DOING_NO_SIZE, s->job->size, s->job->rank ? 0 : -1);
	while (!done && !err) {		/* reply to rank 0 with the time on this rank */
		double here;

		err = transfer_and_wait(s, false, 0, &mine, sizeof(mine));
		here = s->last_s = now_s(s);
		done = mine.more == 0;
		if (!err && !done)
			err = transfer_and_wait(s, true, 0, &here, sizeof(here));
	}
	for (int r = 1; s->job->rank == 0 && r < s->job->size && !err; r++)
		err = compare_with_peer(s, r);
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
		  : job->size > MOST_RANKS ? "there are more than 64 ranks"
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

int sync_compare_again(struct sync *s, double *strayed_s)
{
	struct sync before = *s;
	int err;

	*strayed_s = 0;
	if (s->scheme == SYNC_BARRIER)
		return ST_OK;
	err = compare_clocks(s);
	*strayed_s = fabs(s->last_offset_s - clock_offset_at(&before, s->last_s));
	if (s->last_s - s->first_s > 0.05)
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
