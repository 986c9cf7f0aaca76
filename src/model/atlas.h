/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times and frequencies of the ATLAS benchmarks predicted by LogGP (METHODS 1.1 to 1.3), for any
 * number of ranks. Pure. Times are in the parameters' unit, frequencies in its inverse. Control
 * packets have 16 B.
 */
#ifndef NETBENCH_MODEL_ATLAS_H
#define NETBENCH_MODEL_ATLAS_H

#include "model/loggp.h"

/*
 * Time of one sender to each of `others`, or of one receiver from each: A_k + (others-1) I_k
 * (METHODS 17, 18).
 */
double atlas_outfarming(const struct loggp *p, uint64_t k, uint64_t others);
double atlas_funnel(const struct loggp *p, uint64_t k, uint64_t others);

/*
 * The times of an event in a farm with a supervisor. `supervisor`, `source` and `destination` are
 * the times that each role spends on an event; the longest determines the pace. `event` is the time
 * of an event alone, from the supervisor's first message until it has received the decision.
 */
struct atlas_farm {
	double supervisor, source;
	/* time of one destination; with D of them each gets every D-th event */
	double destination;
	double event;
};

/*
 * Times of a push farm (eq. 91) and a pull farm (eq. 92) with S sources. A destination works for
 * `occupation` on each packet; meanwhile its interface receives the next ones. An event alone takes
 * three messages in sequence (pull: four), and the S - 1 packets after the first one. A full
 * simulated farm has exactly this pace.
 */
struct atlas_farm atlas_push(const struct loggp *p, uint64_t k, uint64_t S, double occupation);
struct atlas_farm atlas_pull(const struct loggp *p, uint64_t k, uint64_t S, double occupation);

/*
 * Events per second with D destinations: the pace of the busiest role. Credits limit the events in
 * progress, so that the frequency is at most credits / event. 0 credits: no limit.
 */
double atlas_farm_frequency(const struct atlas_farm *f, double D, uint64_t credits);

/* The smallest number of destinations with which another role determines the pace. */
double atlas_farm_destinations(const struct atlas_farm *f);

/*
 * The times of an event in a pipeline of A sources, B stages and C destinations. Each time is that
 * of the level's busiest member. A source sends one packet per event. A stage receives ceil(A/B)
 * packets, works on them and sends one. A destination receives ceil(B/C) packets and works on them.
 * Work on a packet takes `occupation`.
 */
struct atlas_pipeline {
	double source, stage, destination;
};
struct atlas_pipeline atlas_pipeline(const struct loggp *p, uint64_t k, uint64_t A, uint64_t B,
				     uint64_t C, double occupation);

/*
 * Events per second: C times the pace of the slowest level, because each destination completes its
 * own events.
 */
double atlas_pipeline_frequency(const struct atlas_pipeline *t, uint64_t C);

/* The pipelines of the ATLAS note: numbers of sources, stages and destinations. */
struct atlas_topology {
	uint64_t sources, stages, destinations;
};
#define ATLAS_TOPOLOGIES 3
extern const struct atlas_topology atlas_topologies[ATLAS_TOPOLOGIES];

/* Ranks with roles: of a farm, or of pipelines side by side. */
struct atlas_roles {
	struct atlas_topology of;	/* a farm has no stages */
	uint64_t lines;			/* number of pipelines; 1 for a farm */
	uint64_t credits;		/* of a farm, see atlas_farm_frequency */
	double occupation;		/* work of a destination, and of a stage, on each packet */
};

/*
 * Events per second of the push farm "2.1", the pull farm "2.2" or the pipelines "2.3". NaN for any
 * other number, or if a role has no rank.
 */
double atlas_frequency(const char *number, const struct loggp *p, uint64_t k,
		       const struct atlas_roles *roles);

/* The prediction of a benchmark. */
struct atlas_prediction {
	double event;		/* time of one iteration until the last rank ends; NaN for farms */
	double frequency;	/* frequency of iterations in sequence */
};

/*
 * Predicts benchmark `number` ("1.1" to "2.3") with messages of k bytes, on `ranks` ranks in all,
 * without occupation. 1.6 uses a binomial tree. Farms have one destination. 2.3 has pipelines 4-2-1
 * side by side. Returns 0; or -1 for an unknown number, too few ranks, or without memory.
 */
int atlas_predict(const char *number, const struct loggp *p, uint64_t k, uint32_t ranks,
		  struct atlas_prediction *out);

#endif
