/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency under load: quantiles of events that are measured in epochs, and the factor by which a
 * load raises them (LOAD.md 4 and 5). Pure.
 */
#ifndef NETBENCH_ANALYSE_LOAD_H
#define NETBENCH_ANALYSE_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

/*
 * Times of events, s, in the order in which they began, epoch after epoch. A zeroed struct is
 * empty.
 */
struct epochs {
	struct series events;
	size_t *end;		/* end[i]: index of the first event after epoch i */
	uint64_t *unanswered;	/* unanswered[i]: events that had not ended when epoch i ended */
	double *rate;		/* rate[i]: events a second that ended in epoch i */
	size_t n;
};

/* Ends an epoch whose events the caller has pushed. Returns 0, or -1 without memory. */
int end_epoch(struct epochs *e, uint64_t unanswered, double rate);

/* Removes the events of the epoch that has not ended. */
void discard_epoch(struct epochs *e);

void epochs_free(struct epochs *e);

/* A value with its 95 % interval; NaN: not determined. */
struct bounded {
	double value, lo, hi;
};

/*
 * Quantile q of one epoch. It is NaN if it falls among the unanswered events, which count as longer
 * than any that ended. It is also NaN if too few events are independent (LOAD.md 57). For a tail,
 * the clusters of events above it are independent. For the median, n (1-r) / (1+r) events are; r is
 * the autocorrelation of their sides of the median.
 */
double epoch_quantile(const struct epochs *e, size_t i, double q);

/*
 * Quantile q over all epochs (58). It is the median of the epochs' quantiles, with bounds by order
 * statistics, if there are six epochs or more and all have one. Otherwise it is the quantile of all
 * events, with bounds as if only the independent events counted.
 */
struct bounded epochs_quantile(const struct epochs *e, double q);

/* Median over the epochs of their events a second, with its interval. */
struct bounded epochs_rate(const struct epochs *e);

/* Mean and maximum of all events that ended; NaN without events. */
double epochs_mean(const struct epochs *e);
double epochs_max(const struct epochs *e);

/*
 * The factor by which the load raises quantile q: exp of the median, over pairs of epochs, of
 * ln(loaded / quiet), with bounds by order statistics (59). Epoch i of `quiet` forms a pair with
 * epoch i of `loaded`. NaN if fewer than six pairs, or fewer than nine tenths of them, have the
 * quantile in both epochs.
 */
struct bounded load_factor(const struct epochs *quiet, const struct epochs *loaded, double q);

/* The same for rates, as quiet / loaded, so that above 1 means worse (60). */
struct bounded load_rate_factor(const struct epochs *quiet, const struct epochs *loaded);

#endif
