/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ATLAS benchmarks should reach under LogGP (METHODS 1.1 to 1.3), on any number of ranks.
 * Pure. Times are in the parameters' unit, frequencies in its inverse. Control packets have 16 B.
 */
#ifndef NETBENCH_MODEL_ATLAS_H
#define NETBENCH_MODEL_ATLAS_H

#include "model/loggp.h"

/* One sender to, or receiver from, each of `others`: A_k + (others-1) I_k (METHODS 17, 18). */
double atlas_outfarming(const struct loggp *p, uint64_t k, uint64_t others);
double atlas_funnel(const struct loggp *p, uint64_t k, uint64_t others);

/*
 * Bounds of the event frequency of a push (METHODS 24) and a pull farm (25) with S sources and D
 * destinations: the pace of the busiest role, attained where the supervisor has credits enough.
 * There an event's algorithm takes t_a once it is complete; here a destination works for
 * `occupation` on each packet, beside which the gap to the next one runs, and a decision takes a
 * gap like a request.
 */
double atlas_push(const struct loggp *p, uint64_t k, uint64_t S, uint64_t D, double occupation);
double atlas_pull(const struct loggp *p, uint64_t k, uint64_t S, uint64_t D, double occupation);

/*
 * Bound of the event frequency of a pipeline of A sources, B stages and C destinations that spend
 * `occupation` on each packet: its slowest level's, for the member with most to do. A source sends
 * a packet an event; a stage receives ceil(A/B), works on them and sends one; a destination
 * receives ceil(B/C) and works on them. Each destination completes events of its own: C times the
 * pace of one.
 */
double atlas_pipeline(const struct loggp *p, uint64_t k, uint64_t A, uint64_t B, uint64_t C,
		      double occupation);

/* A benchmark on some ranks. */
struct atlas_prediction {
	double event;		/* an iteration alone, to the end of the last rank; NaN: farms */
	double frequency;	/* of iterations that follow one another */
};

/*
 * Predicts benchmark `number` ("1.1" to "2.3") with messages of k bytes among `ranks` ranks in all,
 * without occupation: 1.6 along a binomial tree; farms with one destination, 2.3 as pipelines 4-2-1
 * side by side. Returns 0, or -1 for an unknown number, too few ranks, or without memory.
 */
int atlas_predict(const char *number, const struct loggp *p, uint64_t k, uint32_t ranks,
		  struct atlas_prediction *out);

#endif
