/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a row: pairs of a quiet and a loaded epoch, in random order within each pair. */
#ifndef NETBENCH_CMD_LOAD_MEASURE_H
#define NETBENCH_CMD_LOAD_MEASURE_H

#include "analyse/load.h"
#include "cmd/load/play.h"

struct session;
struct spec;

/* Quantiles of a row. */
enum load_quantile { LOAD_P50, LOAD_P90, LOAD_P99, LOAD_P999, LOAD_QUANTILES };

/* A point of the plan; `own` of its spec. */
struct load_point {
	struct load_args args;
	const char *aggressor;		/* the patterns as the user named them */
	double level;			/* load as a share of the capacity; 1: closed loop */
	uint64_t epochs;		/* pairs of epochs */
};

/*
 * Times of a victim's events, s. Latency counts from the time at which an event was due, service
 * from its real start.
 */
struct load_times {
	struct bounded quantile[LOAD_QUANTILES];
	double mean, max;
};

/* What an asking victim measured. */
struct load_found {
	struct load_times latency, quiet, service;
	struct bounded rate;		/* events per second under load */
	struct bounded factor[LOAD_QUANTILES], rate_factor;
	uint64_t unanswered, late_sends, backlog_most, due, ended;
};

/* The results of a row on rank 0. */
struct load_result {
	struct load_found worst;	/* the worst of the asking victims */
	struct bounded load;		/* load that receivers counted, as share of the capacity */
	uint64_t epochs, failed;	/* pairs that count; pairs whose load was not reached */
	uint64_t checked, errors;
};

/*
 * Measures the capacity: the bytes per second that the aggressors of a point deliver alone, in a
 * closed loop (LOAD.md 53). The same on all ranks. 0 if the run is over. Collective.
 */
double load_capacity(struct session *s, const struct spec *spec);

/*
 * Measures the pairs of epochs of a point, whose load is its level times the capacity. *res is
 * valid on rank 0. Measures fewer pairs if the run ends early. Collective.
 */
void load_measure(struct session *s, const struct spec *spec, double capacity,
		  struct load_result *res);

#endif
