/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of samples. Pure: without clock and output. Every sample counts; none is trimmed.
 * Quantiles are order statistics. Intervals are nonparametric: their ranks come from the binomial
 * distribution, and no normal distribution is assumed (METHODS 3.2).
 */
#ifndef NETBENCH_BASE_STATS_H
#define NETBENCH_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * With fewer repetitions the median has no 95 % interval. Before that number, only a limit of the
 * whole run ends a point.
 */
#define FEWEST_REPETITIONS 6

/*
 * With FEWEST_VISITS visits or more, their medians bound the median of a point. With fewer visits,
 * FEWEST_UNVISITED repetitions are needed.
 */
#define FEWEST_VISITS 6
#define FEWEST_UNVISITED 30

/*
 * Share of the time that repetitions took beyond their median: 1 - median / mean. 0 if that is not
 * above rounding errors; NaN if either argument is NaN. Above STALLED other work has interrupted
 * the ranks.
 */
#define STALLED 0.1
double stalled_share(double median, double mean);

/* Samples in the order of their measurement. A zeroed struct is empty. */
struct series {
	double *s;
	size_t n, room;
};

/* Appends a sample. Returns 0, or -1 without memory. */
int series_push(struct series *x, double sample);

/* Frees the samples; the series is empty afterwards. */
void series_free(struct series *x);

/* Returns the mean of the samples; NaN if none exist. */
double series_mean(const struct series *x);

/* The two ends of a 95 % confidence interval. */
struct interval {
	double lo, hi;
};

/*
 * Returns the interval if `value` lies strictly between its ends. Otherwise both ends are NaN,
 * because the interval then says nothing about the value.
 */
struct interval interval_around(struct interval i, double value);

/* How the interval of a median was computed: column `ci_method`. */
enum ci_method {
	CI_NONE,	/* no interval */
	CI_ORDER,	/* order statistics of the samples */
	/* order statistics of the medians of epochs: samples depend on those before them */
	CI_EPOCHS,
	CI_VISITS,	/* order statistics of the medians of visits, or few visits that disagree */
};
extern const char *const ci_method_names[];

/*
 * Statistics of a series, in its own unit. A statistic that needs more than n samples is NaN: p90
 * needs 36 samples, p99 368, p99.9 3688, lo and hi need 6. Each is the smallest n for a two-sided
 * 95 % interval of the quantile (METHODS 3.2). If samples depend on those before them, lo and hi
 * need 6 epochs.
 */
struct summary {
	size_t n;
	double min, p50, p90, p99, p999, max;
	double lo, hi;		/* 95 % confidence interval of the median */
	enum ci_method method;	/* how lo and hi were computed */
	double acf1;		/* lag-1 autocorrelation; NaN if n < 3 or all are equal */
	/*
	 * The larger of two lag-1 autocorrelations: of the samples, and of their signs (above or
	 * below the median). 0 if neither is known.
	 */
	double alike;
};

/*
 * Computes the statistics of a series, which is not changed. All but n are NaN if the series is
 * empty or memory is short.
 */
struct summary summarise(const struct series *x);

/* Returns the order statistic of a sorted population that has this rank, from 1 to n. */
typedef double order_fn(const void *population, uint64_t rank);

/* Computes the statistics that need only single order statistics. lo, hi and acf1 are NaN. */
struct summary summarise_ordered(uint64_t n, order_fn *at, const void *population);

/*
 * Computes the ranks (from 1) of the order statistics that bound a 95 % interval of quantile q of n
 * samples. *l is the largest with P(Bin(n,q) <= l-1) <= 2.5 %. *u is the smallest with P(Bin(n,q)
 * >= u) <= 2.5 % (METHODS 3.2; above n = 10^4 by the normal approximation). Returns 0, or -1 if n
 * is too small for an interval.
 */
int quantile_ranks(size_t n, double q, size_t *l, size_t *u);

/*
 * Computes the statistics of a point that was visited n times; visit i ends before sample ends[i].
 *
 * With FEWEST_VISITS visits or more, order statistics of the visits' medians bound the median: of 6
 * visits the smallest and the largest. With fewer, all samples give the interval, provided that the
 * visits' intervals have a value in common. If they have none, the interval extends from the lowest
 * bound of any visit to the highest. If some visit has no interval, the point has none. There is
 * none either if fewer visits have less than FEWEST_UNVISITED samples together.
 */
struct summary summarise_visits(const struct series *x, const size_t *ends, size_t n);

/*
 * Widens an interval to at least half a clock step on both sides of the median. Samples that are
 * multiples of a step can all be equal.
 */
void summary_widen(struct summary *s, double step);

/* Samples may depend on those before them above this lag-1 autocorrelation. */
#define ALIKE 0.1

/*
 * Returns true if samples depend on those before them. Then a lag-1 autocorrelation, either of the
 * samples or of their signs (above or below the median), exceeds ALIKE. It also exceeds
 * 1.645/sqrt(n) - 1/n, which independent samples exceed by chance in one series of twenty. The
 * interval of a median uses only the signs, and outliers do not hide them.
 */
bool series_depends(const struct series *x);

/*
 * Computes the medians of epochs, in order. Epochs are consecutive parts of a series whose samples
 * depend on those before them. Their number is the square root of n, but at least 6 (for an
 * interval) and at most 20. Each has at least 2 samples, and at least 2 (1+r)/(1-r), where r is the
 * autocorrelation. Every sample is in one epoch. Appends the medians to `epochs`, an empty series
 * that the caller frees. Returns 0, or -1 if there would be fewer than 6 epochs, or if memory is
 * short.
 */
int series_epochs(const struct series *x, struct series *epochs);

/*
 * Share of independent events among the events above `value`, which come in clusters: the number of
 * clusters divided by the number of such events. A cluster ends after 10 events in a row that are
 * not above `value`. Returns 1 if no event is above it.
 */
double independent_share(const struct series *x, double value);

/*
 * The smallest number of independent samples that bounds quantile q by a 95 % interval: 6 for p50,
 * 368 for p99.
 */
double quantile_min_samples(double q);

/*
 * 95 % interval of quantile q of single events, given in their order. The number of independent
 * events is n times independent_share.
 * If each part can have the quantile, 6 to 20 consecutive parts
 * give the interval. Otherwise order statistics of all events give it, as if only the independent
 * ones counted. Both ends are NaN if the independent events are too few, or if memory is short.
 */
struct interval events_interval(const struct series *x, double q);

/*
 * Result for the ratio of two medians: its interval and a two-sided p-value. The p-value is the
 * probability of a ratio this far from 1 if the medians are equal. It is never less than the number
 * of samples allows.
 */
struct ratio {
	struct interval interval;
	double p_value;
};

/*
 * Compares the median of b with that of a by bootstrap. The interval extends from the 2.5 % to the
 * 97.5 % point of the ratio b / a over `draws` resamples of both. The seed starts the generator of
 * random numbers. Apart from sorting, the time does not depend on the number of samples. A series
 * of one sample is a known number. Samples must be positive. Returns 0; or -1 if a series is empty,
 * `draws` is 0, or memory is short.
 */
int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed,
		 struct ratio *ratio);

/*
 * 95 % interval, by bootstrap, of the median of b divided by the median of a. It contains that
 * ratio. If samples depend on one another, medians of epochs are used in their place. Both ends are
 * NaN with fewer than 6 samples or epochs, or if memory is short.
 */
struct interval median_ratio_interval(const struct series *a, const struct series *b,
				      uint64_t seed);

/*
 * Appends the means of `parts` consecutive parts of a series to `means`, which the caller frees.
 * Each part must have at least one sample. Returns 0, or -1 if memory is short.
 */
int series_means(const struct series *x, size_t parts, struct series *means);

#endif
