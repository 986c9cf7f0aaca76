/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency under load. Computes quantiles of the times of events that are measured in epochs, and
 * the factor by which a load raises these quantiles (LOAD.md 4 and 5). Pure.
 */
#ifndef NETBENCH_ANALYSE_LOAD_H
#define NETBENCH_ANALYSE_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

/*
 * Times of events in s, epoch after epoch, in the order in which the events began. A zeroed struct
 * is empty.
 */
struct epochs {
	struct series events;
	size_t *end;		/* end[i]: index of the first event after epoch i */
	/* unanswered[i]: number of events that had not ended when epoch i ended */
	uint64_t *unanswered;
	double *rate;		/* rate[i]: number of events a second that ended in epoch i */
	size_t n;
};

/* Ends an epoch. The caller has pushed its events to e->events. Returns 0, or -1 without memory. */
int end_epoch(struct epochs *e, uint64_t unanswered, double rate);

/* Removes the events of the epoch that has not ended. */
void discard_epoch(struct epochs *e);

void epochs_free(struct epochs *e);

/* A value with its 95 % interval; NaN: not determined. */
struct bounded {
	double value, lo, hi;
};

/*
 * Sorts n values, and returns their median with its interval by order statistics. The bounds are
 * NaN if n is below six; all is NaN if n is 0.
 */
struct bounded median_with_bounds(double *values, size_t n);

/*
 * Returns quantile q of one epoch. Unanswered events count as longer than any other; if the
 * quantile falls among them, it is NaN. It is also NaN if too few events are independent (LOAD.md
 * 57). For a tail, the number of independent events comes from the clusters of events above it. For
 * the median it is n (1-r) / (1+r), where r is the autocorrelation of "above or below the median".
 */
double epoch_quantile(const struct epochs *e, size_t i, double q);

/*
 * Returns quantile q over all epochs (58). If there are at least six epochs, and all have a
 * quantile, the result is the median of these quantiles, with bounds by order statistics. Otherwise
 * the result is the quantile of all events, with bounds as if only the independent events counted.
 */
struct bounded epochs_quantile(const struct epochs *e, double q);

/* Median over the epochs of their events a second, with its 95 % interval. */
struct bounded epochs_rate(const struct epochs *e);

/* Mean and maximum of all events that ended; NaN without events. */
double epochs_mean(const struct epochs *e);
double epochs_max(const struct epochs *e);

/*
 * Returns the factor by which the load raises quantile q (59). Epoch i of `quiet` forms a pair with
 * epoch i of `loaded`. The factor is exp of the median over the pairs of ln(loaded / quiet), with
 * bounds by order statistics. It is NaN if fewer than six pairs, or fewer than nine tenths of all
 * pairs, have the quantile in both epochs.
 */
struct bounded load_factor(const struct epochs *quiet, const struct epochs *loaded, double q);

/*
 * Returns the factor by which the load lowers rates (60). Its ratio is quiet / loaded, so that a
 * factor above 1 means worse.
 */
struct bounded load_rate_factor(const struct epochs *quiet, const struct epochs *loaded);

#endif
