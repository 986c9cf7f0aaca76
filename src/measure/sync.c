/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sync.h"

#include <math.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"

const char *const sync_names[] = { "auto", "barrier", "window", NULL };

/* Exchanges of a comparison: so many at least, and until so many in a row were not quicker. */
#define EXCHANGES 300
#define IN_VAIN 100

/* With more ranks the comparisons, one after the other, take longer than what they are to improve. */
#define MOST_RANKS 64

#define LEAD_S 50e-6
#define LEAD_MAX_S 20e-3

/* From rank 0: goes on, or ends a comparison with its outcome. */
struct ask {
	double more;
	double offset_s, rtt_s;
};

static double now_s(const struct sync *s)
{
	return s->ep->be->now(s->ep) * s->ep->tick_s;
}

static int send_to(struct sync *s, int peer, const void *buf, size_t len)
{
	struct request r;
	int err = s->ep->be->isend(s->ep, peer, buf, len, &r);

	return err ? err : s->ep->be->wait(s->ep, &r);
}

static int recv_from(struct sync *s, int peer, void *buf, size_t len)
{
	struct request r;
	int err = s->ep->be->irecv(s->ep, peer, buf, len, &r);

	return err ? err : s->ep->be->wait(s->ep, &r);
}

/* Rank 0's part: the quickest of many exchanges tells most about the other clock. */
static int compare_with(struct sync *s, int peer)
{
	struct ask ask = { .more = 1, .rtt_s = INFINITY };
	int in_vain = 0, err = ST_OK;

	for (int i = 0; !err && (i < EXCHANGES || in_vain < IN_VAIN); i++) {
		double there = 0, before = now_s(s), after;

		err = send_to(s, peer, &ask, sizeof(ask));
		err = err ? err : recv_from(s, peer, &there, sizeof(there));
		after = now_s(s);
		in_vain++;
		if (after - before >= ask.rtt_s)
			continue;
		ask.rtt_s = after - before;
		ask.offset_s = before + ask.rtt_s / 2 - there;
		in_vain = 0;
	}
	ask.more = 0;
	return err ? err : send_to(s, peer, &ask, sizeof(ask));
}

static int be_compared(struct sync *s, struct ask *ask)
{
	int err;

	for (;;) {
		double here;

		err = recv_from(s, 0, ask, sizeof(*ask));
		s->last_s = now_s(s);
		if (err || ask->more == 0)
			return err;
		here = now_s(s);
		err = send_to(s, 0, &here, sizeof(here));
		if (err)
			return err;
	}
}

/* All ranks with rank 0, one after the other. Yields this rank's outcome. */
static int compare(struct sync *s, struct ask *mine)
{
	const double *rtt;
	int err = ST_OK;

	*mine = (struct ask){ 0 };
	s->last_s = now_s(s);
	if (s->job->rank)
		err = be_compared(s, mine);
	for (int r = 1; s->job->rank == 0 && r < s->job->size && !err; r++)
		err = compare_with(s, r);
	if (err)
		return err;
	rtt = s->job->kind->gather(s->job, &mine->rtt_s, sizeof(mine->rtt_s));
	for (int r = 0; rtt && r < s->job->size; r++)
		s->error_s = fmax(s->error_s, rtt[r] / 2);
	s->last_offset_s = mine->offset_s;
	return ST_OK;
}

/* What to add to this rank's clock at time t to have rank 0's. */
static double offset_at(const struct sync *s, double t)
{
	return s->last_offset_s + s->drift * (t - s->last_s);
}

static int choose(struct sync *s, enum sync_scheme asked, bool many_timed)
{
	char crowded = s->job->local_size > s->job->cpus;
	const char *all = s->job->kind->gather(s->job, &crowded, 1), *against;
	bool any_crowded = false;

	s->crowded = crowded;
	for (int r = 0; all && r < s->job->size; r++)
		any_crowded |= all[r];
	s->job->kind->bcast(s->job, &any_crowded, sizeof(any_crowded));
	if (asked == SYNC_WINDOW && !(s->ep->caps & CAP_MSG))
		return error_unavailable("'--sync window' needs 'msg', which backend '%s' does not offer",
					 s->ep->be->name);
	against = !many_timed		       ? "fewer than three ranks are timed"
		  : s->ep->caps & CAP_VIRTUAL  ? "time is virtual"
		  : !(s->ep->caps & CAP_MSG)   ? "the backend has no messages to compare clocks by"
		  : any_crowded		       ? "ranks share CPUs"
		  : s->job->size > MOST_RANKS  ? "there are more than 64 ranks"
					       : NULL;
	s->scheme = asked != SYNC_AUTO ? asked : against ? SYNC_BARRIER : SYNC_WINDOW;
	s->why = asked != SYNC_AUTO ? "as asked for"
		 : against	    ? against
				    : "three or more ranks are timed, each with a CPU";
	return ST_OK;
}

int sync_open(struct sync *s, struct endpoint *ep, enum sync_scheme asked, bool many_timed)
{
	struct ask mine;
	int err;

	*s = (struct sync){ .ep = ep, .job = ep->job, .lead_s = LEAD_S };
	err = choose(s, asked, many_timed);
	if (err || s->scheme == SYNC_BARRIER)
		return err;
	err = compare(s, &mine);
	s->first_s = s->last_s;
	s->first_offset_s = s->last_offset_s;
	return err;
}

int sync_again(struct sync *s, double *strayed_s)
{
	struct sync before = *s;
	struct ask mine;
	int err;

	*strayed_s = 0;
	if (s->scheme == SYNC_BARRIER)
		return ST_OK;
	err = compare(s, &mine);
	*strayed_s = fabs(mine.offset_s - offset_at(&before, s->last_s));
	if (s->last_s - s->first_s > 0.05)
		s->drift = (s->last_offset_s - s->first_offset_s) / (s->last_s - s->first_s);
	return err;
}

/* Until `then` on this rank's clock. How late it is at the end. */
static double wait_until(const struct sync *s, double then)
{
	double left;

	while ((left = then - now_s(s)) > 0) {
		struct timespec nap = { 0, (long)((left - 20e-6) * 1e9) };

		if (s->crowded && left > 100e-6)
			nanosleep(&nap, NULL);
		else if (s->crowded)
			sched_yield();
	}
	return -left;
}

double sync_start(struct sync *s)
{
	double instant, offset;

	if (s->scheme == SYNC_BARRIER) {
		s->job->kind->barrier(s->job);
		return 0;
	}
	instant = now_s(s) + s->lead_s;
	s->job->kind->bcast(s->job, &instant, sizeof(instant));
	offset = s->job->rank ? offset_at(s, now_s(s)) : 0;
	return wait_until(s, instant - offset);
}

void sync_learn(struct sync *s, double latest_s, double round_s)
{
	/* how late it is a rank knows by its own clock, whatever the clocks may err */
	if (latest_s > 2e-6 && latest_s > 0.01 * round_s && s->lead_s < LEAD_MAX_S + 8 * s->error_s)
		s->lead_s *= 2;
}
