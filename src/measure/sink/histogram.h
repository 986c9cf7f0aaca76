/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_MEASURE_SINK_HISTOGRAM_H
#define NETBENCH_MEASURE_SINK_HISTOGRAM_H

#include <stdint.h>

#include "base/stats.h"

/*
 * A histogram of whole numbers with relative bucket width 2^-8 (METHODS 3.5) and exact extremes:
 * 3 ns a sample, fixed memory. Allocate with hist_new (NULL without memory), free with free().
 */
struct hist;
struct hist *hist_new(void);

/* Empties it. */
void hist_clear(struct hist *h);

/* Counts one value. */
void hist_add(struct hist *h, uint64_t value);

/* Its summary: quantiles to 2^-8, by the rule of `summary`, within [min, max]; lo, hi, acf1 NaN. */
struct summary hist_summary(const struct hist *h);

/* Calls back for each bucket that is not empty, in rising order: its smallest value, its count. */
void hist_each(const struct hist *h, void (*visit)(void *arg, uint64_t value, uint64_t count),
	       void *arg);

#endif
