/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common starts of repetitions (METHODS 3.3): after a barrier, or at an agreed time. For the
 * latter, messages of the backend compare each rank's clock with rank 0's.
 */
#ifndef NETBENCH_MEASURE_SYNC_H
#define NETBENCH_MEASURE_SYNC_H

#include "job/job.h"
#include "transport/backend.h"

enum sync_scheme { SYNC_AUTO, SYNC_BARRIER, SYNC_WINDOW };
extern const char *const sync_names[];

/* Clock and start scheme of one rank. */
struct sync {
	struct endpoint *ep;
	struct job *job;
	enum sync_scheme scheme;	/* never SYNC_AUTO once open */
	const char *why;		/* why this scheme was chosen */
	/* ranks on this machine share CPUs, so waiting must not spin */
	bool shares_cpus;
	/* time of the first and last comparison, and the offset to add to get rank 0's clock */
	double first_s, first_offset_s, last_s, last_offset_s;
	double drift;			/* change of the offset, seconds per second */
	/* half of the quickest round trip, maximum over all comparisons, s */
	double error_s;
	/* rank 0: time from the announcement to the agreed start, s */
	double lead_s;
	uint64_t turns;			/* number of visits so far, the same on all ranks */
};

/*
 * Chooses a scheme and compares the clocks if the scheme needs it. `timed`: this rank's time
 * counts. `common`: each operation needs a common start. SYNC_AUTO becomes SYNC_WINDOW if at least
 * three ranks are timed, or if `common`; but only if each rank has a CPU and the endpoint has
 * CAP_MSG. Collective. Returns ST_OK, or ST_UNAVAILABLE if SYNC_WINDOW is asked for and the
 * endpoint lacks CAP_MSG.
 */
int sync_open(struct sync *s, struct endpoint *ep, enum sync_scheme asked, bool timed,
	      bool common);

/*
 * Compares the clocks again; collective. *strayed_s is the difference between this rank's clock and
 * the expected one, s. Returns ST_OK or ST_FAILED.
 */
int sync_compare_again(struct sync *s, double *strayed_s);

/* Returns at the common start; the result is this rank's delay after it, s. Collective. */
double sync_await_start(struct sync *s);

/*
 * Agrees on a series of starts, with SYNC_WINDOW. Returns the first start by this rank's clock, s.
 * The distance between starts is rank 0's *distance_s; afterwards *distance_s is it by this rank's
 * clock. Collective.
 */
double sync_agree_starts(struct sync *s, double *distance_s);

/*
 * Rank 0, after a round of round_s: doubles the lead if latest_s, the delay of the latest rank, is
 * too large.
 */
void sync_adjust_lead(struct sync *s, double latest_s, double round_s);

#endif
