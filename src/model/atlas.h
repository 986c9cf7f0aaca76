/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The times and frequencies that the ATLAS benchmarks should reach under LogGP (METHODS 1.1 to
 * 1.3), on any number of ranks. Pure. Times are in the parameters' unit, frequencies in its
 * inverse. Control packets have 16 B.
 */
#ifndef NETBENCH_MODEL_ATLAS_H
#define NETBENCH_MODEL_ATLAS_H

#include "model/loggp.h"

/* One sender to, or receiver from, each of `others`: A_k + (others-1) I_k (METHODS 17, 18). */
double atlas_outfarming(const struct loggp *p, uint64_t k, uint64_t others);
double atlas_funnel(const struct loggp *p, uint64_t k, uint64_t others);

/*
 * The times of an event in a farm with a supervisor. `supervisor`, `source` and `destination` are
 * the time that the role spends on it; the longest sets the pace. `event` is the time of one event
 * alone: from the supervisor's first message about it until it has received the decision.
 */
struct atlas_farm {
	double supervisor, source;
	double destination;	/* of one; with D of them each has every D-th event */
	double event;
};

/*
 * A push (eq. 91) and a pull farm (eq. 92) with S sources. A destination works for `occupation` on
 * each packet; its interface takes the next ones at the same time. An event alone takes three
 * messages one after the other, with pull four, and the S - 1 packets that follow the first one. A
 * simulated farm that is full keeps exactly this pace.
 */
struct atlas_farm atlas_push(const struct loggp *p, uint64_t k, uint64_t S, double occupation);
struct atlas_farm atlas_pull(const struct loggp *p, uint64_t k, uint64_t S, double occupation);

/*
 * Events a second with D destinations: the pace of the busiest role. Credits limit the events in
 * progress: the supervisor then allows at most credits / event. 0 credits: no limit.
 */
double atlas_farm_frequency(const struct atlas_farm *f, double D, uint64_t credits);

/* The fewest destinations with which they do not set the pace. */
double atlas_farm_destinations(const struct atlas_farm *f);

/*
 * The times of an event in a pipeline of A sources, B stages and C destinations: of each level, for
 * the member with most to do. A source sends a packet an event. A stage receives ceil(A/B), works
 * on them and sends one. A destination receives ceil(B/C) and works on them. Work on a packet takes
 * `occupation`.
 */
struct atlas_pipeline {
	double source, stage, destination;
};
struct atlas_pipeline atlas_pipeline(const struct loggp *p, uint64_t k, uint64_t A, uint64_t B,
				     uint64_t C, double occupation);

/* Each destination completes events of its own: C times the pace of one, the slowest level's. */
double atlas_pipeline_frequency(const struct atlas_pipeline *t, uint64_t C);

/* The note's pipelines: sources, stages and destinations. */
struct atlas_topology {
	uint64_t sources, stages, destinations;
};
#define ATLAS_TOPOLOGIES 3
extern const struct atlas_topology atlas_topologies[ATLAS_TOPOLOGIES];

/* Ranks with roles: a farm, or pipelines side by side. */
struct atlas_roles {
	struct atlas_topology of;	/* a farm has no stages */
	uint64_t lines;			/* pipelines, else 1 */
	uint64_t credits;		/* of a farm, as in atlas_farm_frequency */
	double occupation;		/* of a destination, and of a stage, on each packet */
};

/*
 * Events a second of the farm "2.1" (push) or "2.2" (pull), or of the pipelines "2.3". NaN for any
 * other number, and where a role has no rank.
 */
double atlas_frequency(const char *number, const struct loggp *p, uint64_t k,
		       const struct atlas_roles *roles);

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
