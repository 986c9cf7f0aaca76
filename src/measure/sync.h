/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common starts of repetitions (METHODS 3.3): behind a barrier, or at an agreed instant. For that,
 * clocks are compared with rank 0's through messages of the backend.
 */
#ifndef NETBENCH_MEASURE_SYNC_H
#define NETBENCH_MEASURE_SYNC_H

#include "job/job.h"
#include "transport/backend.h"

enum sync_scheme { SYNC_AUTO, SYNC_BARRIER, SYNC_WINDOW };
extern const char *const sync_names[];

/* One rank's view. */
struct sync {
	struct endpoint *ep;
	struct job *job;
	enum sync_scheme scheme;	/* never SYNC_AUTO once open */
	const char *why;		/* this scheme */
	bool shares_cpus;		/* ranks on this machine share CPUs: do not spin */
	/* of the first and the last comparison: when, and what to add to have rank 0's clock */
	double first_s, first_offset_s, last_s, last_offset_s;
	double drift;			/* seconds a second */
	double error_s;			/* half the quickest round trip, of the worst comparison */
	double lead_s;			/* rank 0: from the announcement to the agreed instant */
	uint64_t turns;			/* visits of points so far, the same on all ranks */
};

/*
 * Decides on a scheme and compares the clocks if it needs them. `timed`: this rank's clock counts.
 * SYNC_AUTO: window if at least three ranks are timed, or if `common`, where each operation needs a
 * start; each has a CPU, and the endpoint has CAP_MSG.
 * Collective. ST_OK; ST_UNAVAILABLE if SYNC_WINDOW is asked for but the endpoint lacks CAP_MSG.
 */
int sync_open(struct sync *s, struct endpoint *ep, enum sync_scheme asked, bool timed,
	      bool common);

/*
 * Compares the clocks again; collective. Yields how far this rank's had drifted from the one
 * expected, s. ST_OK or ST_FAILED.
 */
int sync_again(struct sync *s, double *strayed_s);

/* Returns when the ranks may start: how late this rank is, s. Collective. */
double sync_start(struct sync *s);

/*
 * With SYNC_WINDOW, the first of several starts, which follow each other at *distance_s, rank 0's:
 * by this rank's clock, s, as is *distance_s afterwards. Collective.
 */
double sync_agree(struct sync *s, double *distance_s);

/* Rank 0, after a round that took round_s: lengthens the lead if the latest rank was too late. */
void sync_learn(struct sync *s, double latest_s, double round_s);

#endif
