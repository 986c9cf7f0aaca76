/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes statistics of samples. The functions read no clock and write no output. They use every
 * sample; none is trimmed. Quantiles are order statistics. Intervals are nonparametric: their ranks
 * come from the binomial distribution, and no normal distribution is assumed (METHODS 3.2).
 */
#ifndef NETBENCH_BASE_STATS_H
#define NETBENCH_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Smallest number of repetitions for a 95 % interval of the median. A point with fewer repetitions
 * ends only when a limit of the whole run is reached.
 */
#define FEWEST_REPETITIONS 6

/*
 * A run can measure a point in several separate periods, called visits. With at least FEWEST_VISITS
 * visits, the visits' medians give the interval of the point's median. With fewer visits, the
 * interval needs at least FEWEST_UNVISITED repetitions.
 */
#define FEWEST_VISITS 6
#define FEWEST_UNVISITED 30

/*
 * Returns 1 - median / mean of the repetitions' times: the share of the time lost to slow
 * repetitions. Returns 0 if this is no more than a rounding error, NaN if an argument is NaN. A
 * share above STALLED means that other work has interrupted the ranks.
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
	/* order statistics of the medians of epochs, because samples depend on earlier ones */
	CI_EPOCHS,
	/*
	 * order statistics of the visits' medians; with few visits, the extreme bounds of their
	 * intervals
	 */
	CI_VISITS,
};
extern const char *const ci_method_names[];

/*
 * Statistics of a series, in the unit of its samples. A statistic that needs more than n samples is
 * NaN: p90 needs 36 samples, p99 368, p99.9 3688, lo and hi need 6. Each of these numbers is the
 * smallest n for a two-sided 95 % interval of the quantile (METHODS 3.2). If samples depend on
 * earlier ones, lo and hi need 6 epochs.
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
 * Computes the statistics of a series, and does not change it. If the series is empty or memory is
 * short, all statistics except n are NaN.
 */
struct summary summarise(const struct series *x);

/* Returns the order statistic of rank `rank` (1 to n) of a population. */
typedef double order_fn(const void *population, uint64_t rank);

/*
 * Computes min, max and the quantiles of a population of n values from its order statistics. lo, hi
 * and acf1 are NaN.
 */
struct summary summarise_ordered(uint64_t n, order_fn *at, const void *population);

/*
 * Computes the ranks *l and *u (from 1) of the two order statistics that bound the 95 % interval of
 * quantile q of n samples. *l is the largest l with P(Bin(n,q) <= l-1) <= 2.5 %. *u is the smallest
 * u with P(Bin(n,q) >= u) <= 2.5 % (METHODS 3.2). For n > 10^4 the normal approximation is used.
 * Returns 0, or -1 if n is too small for an interval.
 */
int quantile_ranks(size_t n, double q, size_t *l, size_t *u);

/*
 * Computes the statistics of a point that was visited n times. ends[i] is the index of the first
 * sample after visit i.
 *
 * With FEWEST_VISITS visits or more, two order statistics of the visits' medians bound the interval
 * of the median. With 6 visits they are the smallest and the largest.
 *
 * With fewer visits, the point has an interval only if it has FEWEST_UNVISITED samples. Moreover,
 * if there are several visits, each of them must have an interval. If the visits' intervals have a
 * value in common, all samples give the interval. Otherwise it extends from the lowest bound of any
 * visit to the highest.
 */
struct summary summarise_visits(const struct series *x, const size_t *ends, size_t n);

/*
 * Widens the interval so that it extends at least half a clock step below and above the median.
 * Without this, an interval could have length 0, because all samples can be the same multiple of
 * the step.
 */
void summary_widen(struct summary *s, double step);

/* Samples with at most this lag-1 autocorrelation count as independent, see series_depends. */
#define ALIKE 0.1

/*
 * Returns true if samples depend on earlier ones. The test uses the larger of two lag-1
 * autocorrelations: of the samples, and of their signs (above or below the median). The larger one
 * must exceed ALIKE and 1.645/sqrt(n) - 1/n; one in twenty series of independent samples exceeds
 * 1.645/sqrt(n) - 1/n by chance. Signs are tested because the interval of a median uses only them,
 * and because outliers do not hide their dependence.
 */
bool series_depends(const struct series *x);

/*
 * Computes the medians of epochs, in order. Epochs are consecutive parts of a series whose samples
 * depend on earlier ones. Every sample is in one epoch. The number of epochs is the square root of
 * n, but at least 6 (for an interval) and at most 20. Each epoch needs at least 2 samples and at
 * least 2 (1+r)/(1-r), where r is the autocorrelation. Appends the medians to `epochs`, an empty
 * series that the caller frees. Returns 0; or -1 if there would be fewer than 6 epochs, or if
 * memory is short.
 */
int series_epochs(const struct series *x, struct series *epochs);

/*
 * Estimates which share of the events is independent. Events above `value` come in clusters, and
 * each cluster counts as one independent event. Returns the number of clusters divided by the
 * number of events above `value`; 1 if there are none. A cluster ends after 10 events in a row that
 * are not above `value`.
 */
double independent_share(const struct series *x, double value);

/*
 * Returns the smallest number of independent samples that have a 95 % interval of quantile q: 6 for
 * p50, 368 for p99.
 */
double quantile_min_samples(double q);

/*
 * Returns the 95 % interval of quantile q of single events, given in order of time. The number of
 * independent events is n times independent_share. If the events suffice for 6 to 20 consecutive
 * parts, each with enough independent events for the quantile, the parts' quantiles give the
 * interval. Otherwise order statistics of all events give it, with ranks for the number of
 * independent events. Both ends are NaN if the independent events are too few, or if memory is
 * short.
 */
struct interval events_interval(const struct series *x, double q);

/*
 * Result for the ratio of two medians: its interval and a two-sided p-value. The p-value is the
 * probability of a ratio at least this far from 1 if the medians are equal. The p-value is never
 * less than the smallest one that is possible with this many samples.
 */
struct ratio {
	struct interval interval;
	double p_value;
};

/*
 * Compares the median of b with that of a by bootstrap. Draws `draws` resamples of both series. The
 * interval extends from the 2.5 % to the 97.5 % quantile of the resamples' ratios b / a. `seed`
 * initialises the random number generator. Apart from sorting, the time taken does not depend on
 * the number of samples. A series of one sample is treated as an exactly known number. Samples must
 * be positive. Returns 0; or -1 if a series is empty, `draws` is 0, or memory is short.
 */
int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed,
		 struct ratio *ratio);

/*
 * Returns the 95 % bootstrap interval of the ratio: median of b divided by median of a. The
 * interval always contains this ratio. If samples depend on one another, the medians of epochs
 * replace the samples. Both ends are NaN with fewer than 6 samples or epochs, or if memory is
 * short.
 */
struct interval median_ratio_interval(const struct series *a, const struct series *b,
				      uint64_t seed);

/*
 * Splits a series into `parts` consecutive parts and appends the mean of each to `means`, which the
 * caller frees. The series must have at least `parts` samples. Returns 0, or -1 if memory is short.
 */
int series_means(const struct series *x, size_t parts, struct series *means);

#endif
