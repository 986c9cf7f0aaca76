/* SPDX-License-Identifier: Apache-2.0 */
/* The epochs of a row: pairs of a quiet and a loaded one in random order, and what they give. */
#ifndef NETBENCH_CMD_LOAD_MEASURE_H
#define NETBENCH_CMD_LOAD_MEASURE_H

#include "analyse/load.h"
#include "cmd/load/play.h"

struct session;
struct spec;

/* Quantiles of a row. */
enum load_quantile { LOAD_P50, LOAD_P90, LOAD_P99, LOAD_P999, LOAD_QUANTILES };

/* A point of the plan, its spec's own. */
struct load_point {
	struct load_args args;
	const char *aggressor;		/* the patterns as the user named them */
	double level;			/* of the aggressors' own quiet rate; 1: closed loop */
	uint64_t epochs;		/* pairs of them */
};

/* Times of a victim's events: under load or quiet, from when they should have begun or did. */
struct load_times {
	struct bounded quantile[LOAD_QUANTILES];
	double mean, max;
};

/* What a victim that asks found. */
struct load_found {
	struct load_times latency, quiet, service;
	struct bounded rate;		/* events a second, loaded */
	struct bounded factor[LOAD_QUANTILES], rate_factor;
	uint64_t unanswered, late_sends, backlog_most, due, ended;
};

/* What rank 0 knows of a row. */
struct load_result {
	struct load_found worst;	/* of the victims that ask */
	struct bounded load;		/* that receivers counted, as a part of the capacity */
	uint64_t epochs, failed;	/* pairs that count; those whose load was not reached */
	uint64_t checked, errors;
};

/*
 * Bytes a second that the aggressors of a point deliver alone, in a closed loop (LOAD.md 53); the
 * same on all ranks. 0 if the run is over. Collective.
 */
double load_capacity(struct session *s, const struct spec *spec);

/*
 * Plays a point's pairs of epochs at its level of a capacity. *res is rank 0's. Fewer pairs than
 * planned if the run is over. Collective.
 */
void load_measure(struct session *s, const struct spec *spec, double capacity,
		  struct load_result *res);

#endif
