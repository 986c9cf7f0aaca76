/* SPDX-License-Identifier: Apache-2.0 */
/* Measures a row. It consists of pairs of epochs, one quiet and one loaded, in random order. */
#ifndef NETBENCH_CMD_LOAD_MEASURE_H
#define NETBENCH_CMD_LOAD_MEASURE_H

#include <jansson.h>

#include "analyse/load.h"
#include "cmd/load/play.h"

struct session;
struct spec;

/* The quantiles that a row reports. */
enum load_quantile { LOAD_P50, LOAD_P90, LOAD_P99, LOAD_P999, LOAD_QUANTILES };

/* A point of the plan. Member `own` of the point's spec is its address. */
struct load_point {
	struct load_args args;
	const char *aggressor;		/* the patterns as the user named them */
	double level;			/* load as a share of the capacity; 1: closed loop */
	uint64_t epochs;		/* number of pairs of epochs */
};

/*
 * Times of a victim's events, s. Latency counts from the time at which an event was due. Service
 * time counts from its real start.
 */
struct load_times {
	struct bounded quantile[LOAD_QUANTILES];
	double mean, max;
};

/* The measurements of an asking victim. */
struct load_found {
	struct load_times latency, quiet, service;
	struct bounded rate;		/* events per second under load */
	struct bounded factor[LOAD_QUANTILES], rate_factor;
	uint64_t unanswered, late_sends, backlog_most, due, ended;
};

/* The results of a row on rank 0. */
struct load_result {
	struct load_found worst;	/* the asking victim that suffers most */
	int worst_rank;			/* rank of that victim */
	struct bounded load; /* load that receivers measured, as a share of the capacity */
	/*
	 * median over pairs that failed: the load, or if it is not judged, the share of its
	 * messages that the worst aggressor posted
	 */
	double missed;
	uint64_t epochs, failed; /* pairs of epochs: that count, that missed the load */
	uint64_t checked, errors;
	/* histograms of the worst victim's epochs, by name; the caller releases it */
	json_t *samples;
};

/*
 * Returns whether an epoch of a point counts only if its load is near the requested one (LOAD.md
 * 55). Otherwise it counts if aggressors posted what they could. At 100 percent the network decides
 * how much they deliver, and beside victims that need bandwidth so do the victims.
 */
bool load_is_judged(const struct load_point *p);

/*
 * Measures the capacity: the bytes per second that a point's aggressors deliver in a closed loop
 * while victims are quiet (LOAD.md 53). Returns the same value on all ranks; 0 if the run is over.
 * Collective.
 */
double load_capacity(struct session *s, const struct spec *spec);

/*
 * Measures the pairs of epochs of a point. The load of the point is the point's level times the
 * capacity. *res is valid on rank 0. Measures fewer pairs if the run ends early. Collective.
 */
void load_measure(struct session *s, const struct spec *spec, double capacity,
		  struct load_result *res);

#endif
