/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts repetitions on all ranks together (METHODS 3.3): after a barrier, or at an agreed time.
 * For an agreed time, the clock of each rank is compared with the clock of rank 0, by messages of
 * the backend.
 */
#ifndef NETBENCH_MEASURE_SYNC_H
#define NETBENCH_MEASURE_SYNC_H

#include "job/job.h"
#include "transport/backend.h"

enum sync_scheme { SYNC_AUTO, SYNC_BARRIER, SYNC_WINDOW };
extern const char *const sync_names[];

/* How one rank starts rounds, and how its clock differs from the clock of rank 0. */
struct sync {
	struct endpoint *ep;
	struct job *job;
	enum sync_scheme scheme;	/* not SYNC_AUTO any more after sync_open */
	const char *why;		/* why this scheme was chosen */
	/* ranks on this machine share CPUs, so a waiting rank must not spin */
	bool shares_cpus;
	/*
	 * times of the first and of the latest comparison, and the offsets found then, s. An offset
	 * is the clock of rank 0 minus the clock of this rank.
	 */
	double first_s, first_offset_s, last_s, last_offset_s;
	double drift;			/* change of the offset, seconds per second */
	/*
	 * half of the quickest round trip of a comparison, s; in a tree, the sum over the
	 * comparisons between rank 0 and a rank (COLLECTIVES.md 50); maximum over all comparisons
	 */
	double error_s;
	/* rank 0: time from the announcement of a start to the start, s */
	double lead_s;
};

/*
 * Chooses a scheme, and compares the clocks if the scheme needs it. `timed`: the time of this rank
 * counts. `common`: each operation needs a common start. SYNC_AUTO becomes SYNC_WINDOW if at least
 * three ranks are timed, or if `common`. It becomes SYNC_BARRIER instead if ranks share CPUs, the
 * endpoint lacks CAP_MSG, or time is virtual. Collective. Returns ST_OK; ST_UNAVAILABLE if
 * SYNC_WINDOW is asked for and the endpoint lacks CAP_MSG; or the status of a failed comparison.
 */
int sync_open(struct sync *s, struct endpoint *ep, enum sync_scheme asked, bool timed,
	      bool common);

/*
 * Returns whether clocks must be compared again: whether the error of the fitted offsets may have
 * doubled (COLLECTIVES.md 51), or a minute is over, or the drift is not known yet. between_s: time
 * from the first to the latest comparison, s. since_s: time since the latest comparison, s.
 */
bool sync_is_comparison_due(double between_s, double since_s);

/* Compares the clocks again if that is due. Collective. Returns ST_OK or ST_FAILED. */
int sync_compare_if_due(struct sync *s);

/*
 * Compares the clocks again. Collective. Sets *strayed_s to the difference between the offset of
 * this rank's clock and the expected offset, s. Returns ST_OK or ST_FAILED.
 */
int sync_compare_again(struct sync *s, double *strayed_s);

/*
 * Waits for the common start. Returns the delay of this rank after the common start, s. Collective.
 */
double sync_await_start(struct sync *s);

/*
 * With SYNC_WINDOW, agrees on a series of starts. Returns the first start by this rank's clock, s.
 * On entry, *distance_s of rank 0 is the time between two starts, s. On return, *distance_s is this
 * time by the clock of each rank. Collective.
 */
double sync_agree_starts(struct sync *s, double *distance_s);

/*
 * Rank 0, after a round that took round_s: doubles the lead if the largest delay of any rank,
 * latest_s, was too large.
 */
void sync_adjust_lead(struct sync *s, double latest_s, double round_s);

#endif
