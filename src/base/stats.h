/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From samples to numbers. Pure: no clock, no output. Every sample counts, none
 * is trimmed. Quantiles are order statistics, intervals nonparametric (METHODS
 * 3.2: the ranks come from the binomial distribution, no normality is assumed).
 */
#ifndef NETBENCH_BASE_STATS_H
#define NETBENCH_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples in the order in which they were taken. A zeroed struct is empty. */
struct series {
	double *s;
	size_t n, room;
};

/* Appends a sample. Returns 0, or -1 without memory. */
int series_push(struct series *x, double sample);

/* Frees the samples; the series is empty afterwards. */
void series_free(struct series *x);

/*
 * What a series says, in its own unit. A statistic that n samples cannot support
 * is NaN: p90 needs 36 samples, p99 368, p99.9 3688, lo and hi need 6 (the
 * smallest n for a two-sided 95 % interval of that quantile, METHODS 3.2).
 */
struct summary {
	size_t n;
	double min, p50, p90, p99, p999, max;
	double lo, hi;		/* 95 % confidence interval of the median */
	double acf1;		/* lag-1 autocorrelation; NaN if n < 3 or all are equal */
};

/* Summarises a series and leaves it as it is; all NaN but n for an empty one or without memory. */
struct summary summarise(const struct series *x);

/* A sorted population: yields its order statistic of a rank from 1 to n. */
typedef double order_fn(const void *population, uint64_t rank);

/* The summary of n samples as far as single order statistics tell: lo, hi and acf1 are NaN. */
struct summary summarise_ordered(uint64_t n, order_fn *at, const void *population);

/*
 * Ranks (from 1) of the order statistics that bound a 95 % interval of quantile q of n samples: the
 * largest *l with P(Bin(n,q) <= l-1) <= 2.5 % and the smallest *u with P(Bin(n,q) >= u) <= 2.5 %
 * (METHODS 3.2; the normal form above n = 10^4). Returns -1 if n is too small for any, else 0.
 */
int quantile_ranks(size_t n, double q, size_t *l, size_t *u);

/*
 * True if samples depend on those before them: if the lag-1 autocorrelation, of the samples or of
 * whether each is above the median, exceeds 0.1. The latter is what the interval of a median goes
 * by; outliers do not hide it as the former.
 */
bool series_depends(const struct series *x);

/*
 * The medians of consecutive parts of a series whose samples depend on those before them, in order:
 * as many epochs as the root of n, 6 at least (for an interval) and 20 at most; every sample is in
 * one. Appends to `epochs`, an empty series that the caller frees. 0, or -1 with fewer than 2
 * samples an epoch or without memory.
 */
int series_epochs(const struct series *x, struct series *epochs);

/* The bounds of a 95 % interval. */
struct interval {
	double lo, hi;
};

/*
 * Interval of the median of b divided by the median of a, by bootstrap: the 2.5 % and 97.5 % points
 * of that ratio over `draws` resamples of both, from a generator with this seed. Takes the same
 * time for any number of samples but for sorting them. A series of one sample is a known number.
 * Samples are positive. 0, or -1 if a series is empty or there are no draws or no memory.
 */
int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed,
		 struct interval *ratio);

#endif
