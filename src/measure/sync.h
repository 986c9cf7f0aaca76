/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the ranks start a repetition together (METHODS 3.3): behind a barrier, or at an instant agreed upon, by
 * clocks that are compared with rank 0's through messages of the backend itself.
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
	const char *why;
	bool shares_cpus;		/* ranks on this machine do: do not spin */
	double first_s, first_offset_s;	/* when the clocks were first compared, and what to add to this one */
	double last_s, last_offset_s;	/* and last */
	double drift;			/* seconds a second */
	double error_s;			/* half of the quickest round trip of any comparison, of any rank */
	double lead_s;			/* of the agreed instant; rank 0 */
};

/*
 * Chooses a scheme and compares the clocks if it needs them. `timed`: this rank's clock counts. SYNC_AUTO: window if
 * at least three ranks are timed, each has a CPU, and the endpoint has CAP_MSG. Collective. ST_OK; ST_UNAVAILABLE if SYNC_WINDOW
 * is asked for and cannot be had.
 */
int sync_open(struct sync *s, struct endpoint *ep, enum sync_scheme asked, bool timed);

/* Compares the clocks again; collective. Yields by how much this rank's had strayed, s; ST_OK or ST_FAILED. */
int sync_again(struct sync *s, double *strayed_s);

/* Returns when the ranks may start: how late this one is, s. Collective. */
double sync_start(struct sync *s);

/* Rank 0, after a round that took round_s: the latest rank was so late. Lengthens the lead if that was too short. */
void sync_learn(struct sync *s, double latest_s, double round_s);

#endif
