/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_BASE_HISTOGRAM_H
#define NETBENCH_BASE_HISTOGRAM_H

#include <stdint.h>

#include "base/stats.h"

/*
 * A histogram of whole numbers with relative bucket width 2^-8 (METHODS 3.5), for
 * as many samples as there are: 3 ns each, fixed memory. Minimum and maximum are
 * kept exactly. Allocate with hist_new (NULL without memory), free with free().
 */
struct hist;
struct hist *hist_new(void);

/* Empties it. */
void hist_clear(struct hist *h);

/* Counts one value. */
void hist_add(struct hist *h, uint64_t value);

/*
 * Its summary in units of the values counted: quantiles to 2^-8, each within
 * [min, max]; lo, hi and acf1 are NaN. p90, p99, p99.9 by the rule of `summary`.
 */
struct summary hist_summary(const struct hist *h);

/*
 * Calls back for each bucket that is not empty, in rising order: the smallest value
 * that falls into it, and its count.
 */
void hist_each(const struct hist *h, void (*visit)(void *arg, uint64_t value, uint64_t count),
	       void *arg);

#endif
