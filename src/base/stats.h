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

/*
 * Ranks (from 1) of the order statistics that bound a 95 % interval of quantile q
 * of n samples: the largest *l with P(Bin(n,q) <= l-1) <= 2.5 % and the smallest
 * *u with P(Bin(n,q) >= u) <= 2.5 % (METHODS 3.2; the normal form above n = 10^4).
 * Returns -1 if n is too small for any, else 0.
 */
int quantile_ranks(size_t n, double q, size_t *l, size_t *u);

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

/*
 * True if samples depend on those before them: if the lag-1 autocorrelation, of the samples or of whether each is above
 * the median, exceeds 0.1. The latter is what the interval of a median goes by; outliers do not hide it as the former.
 */
bool series_depends(const struct series *x);

/*
 * The medians of consecutive parts of a series, in their order, for one whose samples depend on those before them: as
 * many epochs as the root of n, so that these grow with their number, but 6 at least, which an interval takes, and 20
 * at most; every sample is in one. Appends to `epochs`, an empty series that the caller frees. 0, or -1 with fewer than
 * 2 samples an epoch or without memory.
 */
int series_epochs(const struct series *x, struct series *epochs);

/* The bounds of a 95 % interval. */
struct interval {
	double lo, hi;
};

/*
 * Interval of the median of b divided by the median of a, by bootstrap: the 2.5 % and 97.5 % points of that ratio over
 * `draws` resamples of both, from a generator with this seed. Takes the same time for any number of samples but for
 * sorting them. A series of one sample is a known number. Samples are positive. 0, or -1 if a series is empty or there
 * are no draws or no memory.
 */
int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed, struct interval *ratio);

/* A small generator for reproducible choices (xoshiro256**); seed with rng_seed. */
struct rng {
	uint64_t s[4];
};
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);

/* A random permutation of 0..n-1 into p (Fisher-Yates, unbiased). */
void rng_permutation(struct rng *r, uint32_t *p, size_t n);

#endif
