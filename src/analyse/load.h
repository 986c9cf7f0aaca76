/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency under load: quantiles of events that come in epochs, and how far a load raises them
 * (LOAD.md 4 and 5). Pure.
 */
#ifndef NETBENCH_ANALYSE_LOAD_H
#define NETBENCH_ANALYSE_LOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

/* Times of events, s, in the order of their begin, epoch after epoch. A zeroed struct is empty. */
struct epochs {
	struct series events;
	size_t *end;		/* of epoch i: the first event after it */
	uint64_t *unanswered;	/* of epoch i: events that had not ended when it ended */
	double *rate;		/* of epoch i: events a second that ended in it */
	size_t n;
};

/* Ends an epoch whose events were pushed. 0, or -1 without memory. */
int epochs_end(struct epochs *e, uint64_t unanswered, double rate);

/* Takes back the events of the epoch that has not ended. */
void epochs_discard(struct epochs *e);

void epochs_free(struct epochs *e);

/* A value with its 95 % interval; NaN: not determined. */
struct bounded {
	double value, lo, hi;
};

/*
 * Quantile q of one epoch. NaN if it falls among the unanswered events, which were longer than any
 * that ended; or if too few events are independent (LOAD.md 57). Clusters of events above a tail
 * are independent. At the median n (1-r) / (1+r) events are; r is the autocorrelation of their
 * sides.
 */
double epoch_quantile(const struct epochs *e, size_t i, double q);

/*
 * Quantile q over all epochs (58): the median of the epochs' own, by order statistics, if all
 * have one and they are six or more; else that of all events, as if only the independent ones
 * counted.
 */
struct bounded epochs_quantile(const struct epochs *e, double q);

/* The median over epochs of the events a second, with its interval. */
struct bounded epochs_rate(const struct epochs *e);

/* Mean and largest of all events that ended; NaN without any. */
double epochs_mean(const struct epochs *e);
double epochs_max(const struct epochs *e);

/*
 * What the load makes of quantile q: exp of the median over pairs of epochs of
 * ln(loaded / quiet), by order statistics (59). Epoch i of one belongs to epoch i of the other. NaN
 * if fewer than six pairs, or than nine of ten, have the quantile in both epochs.
 */
struct bounded load_factor(const struct epochs *quiet, const struct epochs *loaded, double q);

/* The same of rates, quiet over loaded, so that above 1 is worse (60). */
struct bounded load_rate_factor(const struct epochs *quiet, const struct epochs *loaded);

#endif
