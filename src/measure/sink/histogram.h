/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_MEASURE_SINK_HISTOGRAM_H
#define NETBENCH_MEASURE_SINK_HISTOGRAM_H

#include <stdint.h>

#include "base/stats.h"

/*
 * A histogram of whole numbers. Buckets have the relative width 2^-8 (METHODS 3.5); minimum and
 * maximum are exact. Adding a value takes about 3 ns. The size of the memory is fixed. hist_new
 * allocates a histogram (NULL if memory runs out); free() frees it.
 */
struct hist;
struct hist *hist_new(void);

/* Removes all values. */
void hist_clear(struct hist *h);

/* Adds one value. */
void hist_add(struct hist *h, uint64_t value);

/*
 * Returns a summary of all values. Quantiles are defined as for `summary`, are exact to a relative
 * 2^-8, and lie within [min, max]. lo, hi and acf1 are NaN.
 */
struct summary hist_summary(const struct hist *h);

/*
 * Calls visit() for each bucket that is not empty, in rising order. `value` is the smallest value
 * of the bucket, `count` the number of its values.
 */
void hist_for_each(const struct hist *h, void (*visit)(void *arg, uint64_t value, uint64_t count),
	       void *arg);

#endif
