/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Predicts times and frequencies of the ATLAS benchmarks with LogGP (METHODS 1.1 to 1.3), for any
 * number of ranks. Pure. Times are in the unit of the parameters, and frequencies in the inverse of
 * this unit. Control packets have 16 B.
 */
#ifndef NETBENCH_MODEL_ATLAS_H
#define NETBENCH_MODEL_ATLAS_H

#include "model/loggp.h"

/*
 * Returns the time in which one rank sends to each of `others` ranks (outfarming), or receives from
 * each of these ranks (funnel): A_k + (others-1) I_k (METHODS 17, 18).
 */
double atlas_outfarming(const struct loggp *p, uint64_t k, uint64_t others);
double atlas_funnel(const struct loggp *p, uint64_t k, uint64_t others);

/*
 * Times of an event in a farm with a supervisor. `supervisor`, `source` and `destination` are the
 * times that these roles spend on an event; the longest of the three determines the pace. `event`
 * is the time of an event while no other is in progress, from the supervisor's first message until
 * the supervisor has received the decision.
 */
struct atlas_farm {
	double supervisor, source;
	/*
	 * time that one destination spends on an event; of D destinations, each gets every D-th
	 * event
	 */
	double destination;
	double event;
};

/*
 * Return the times of a push farm (eq. 91) and of a pull farm (eq. 92) with S sources. A
 * destination works on each packet for `occupation`. Meanwhile its interface receives the next
 * packets. The time of an event while no other is in progress contains three messages in sequence
 * (pull: four) and the S - 1 packets after the first one. A fully loaded simulated farm has exactly
 * the pace of the slowest role.
 */
struct atlas_farm atlas_push(const struct loggp *p, uint64_t k, uint64_t S, double occupation);
struct atlas_farm atlas_pull(const struct loggp *p, uint64_t k, uint64_t S, double occupation);

/*
 * Returns the number of events per second with D destinations. The busiest role sets the pace.
 * Credits limit the events in progress, so the frequency is at most credits / event. 0 credits: no
 * limit.
 */
double atlas_farm_frequency(const struct atlas_farm *f, double D, uint64_t credits);

/* Returns the smallest number of destinations at which the destinations no longer set the pace. */
double atlas_farm_destinations(const struct atlas_farm *f);

/*
 * Times of an event in a pipeline of A sources, B stages and C destinations. Each member is the
 * time of the busiest rank with this role. A source sends one packet per event. A stage receives
 * ceil(A/B) packets, works on them and sends one packet. A destination receives ceil(B/C) packets
 * and works on them. The work on one packet takes `occupation`.
 */
struct atlas_pipeline {
	double source, stage, destination;
};
struct atlas_pipeline atlas_pipeline(const struct loggp *p, uint64_t k, uint64_t A, uint64_t B,
				     uint64_t C, double occupation);

/*
 * Returns the number of events per second. Each destination completes its own events, so the
 * frequency is C divided by the time of the slowest role.
 */
double atlas_pipeline_frequency(const struct atlas_pipeline *t, uint64_t C);

/* The pipelines of the ATLAS note: numbers of sources, stages and destinations. */
struct atlas_topology {
	uint64_t sources, stages, destinations;
};
#define ATLAS_TOPOLOGIES 3
extern const struct atlas_topology atlas_topologies[ATLAS_TOPOLOGIES];

/* How many ranks have which role, in a farm or in parallel pipelines. */
struct atlas_roles {
	struct atlas_topology of;	/* a farm has no stages */
	uint64_t lines;			/* number of pipelines; 1 for a farm */
	uint64_t credits;		/* credits of a farm, see atlas_farm_frequency */
	/* time that a destination or a stage works on each packet */
	double occupation;
};

/*
 * Returns the number of events per second of the push farm ("2.1"), the pull farm ("2.2") or the
 * pipelines ("2.3"). Returns NaN for any other number, or if a role has no rank.
 */
double atlas_frequency(const char *number, const struct loggp *p, uint64_t k,
		       const struct atlas_roles *roles);

/* The predicted times of a benchmark. */
struct atlas_prediction {
	double event;		/* time of one iteration until the last rank ends; NaN for farms */
	double frequency;	/* frequency of iterations that follow each other */
};

/*
 * Predicts benchmark `number` ("1.1" to "2.3") with messages of k bytes on `ranks` ranks, without
 * occupation. Benchmark 1.6 uses a binomial tree. Farms have one destination. Benchmark 2.3 has
 * parallel pipelines of 4 sources, 2 stages and 1 destination. Returns 0; or -1 if the number is
 * unknown, there are too few ranks, or memory runs out.
 */
int atlas_predict(const char *number, const struct loggp *p, uint64_t k, uint32_t ranks,
		  struct atlas_prediction *out);

#endif
