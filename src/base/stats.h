/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From samples to numbers. Pure: without clock and output. Every sample counts, none is trimmed.
 * Quantiles are order statistics, intervals nonparametric (METHODS 3.2: the ranks come from the
 * binomial distribution, no normality is assumed).
 */
#ifndef NETBENCH_BASE_STATS_H
#define NETBENCH_BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Fewer repetitions have no 95 % interval of the median: no rule but those of the run ends a point
 * before.
 */
#define FEWEST_REPETITIONS 6

/* Visits whose medians bound the median of a point; fewer visits need so many repetitions. */
#define FEWEST_VISITS 6
#define FEWEST_UNVISITED 30

/*
 * The share of the time that goes beyond the median of each: 1 - median / mean; 0 if that is not
 * above rounding, NaN if either is unknown. Above STALLED other work has interrupted the ranks.
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

/* Its mean; NaN if it is empty. */
double series_mean(const struct series *x);

/* The bounds of a 95 % interval. */
struct interval {
	double lo, hi;
};

/*
 * The interval if it holds the value between its bounds. Both bounds are NaN if it has no width, or
 * ends at the value or before: it then says nothing about the value.
 */
struct interval interval_around(struct interval i, double value);

/* How the interval of a median came about: the column `ci_method`. */
enum ci_method {
	CI_NONE,	/* there is none */
	CI_ORDER,	/* order statistics of the samples */
	CI_EPOCHS,	/* of the medians of epochs: samples depend on those before them */
	CI_VISITS,	/* of the medians of visits, or over fewer visits that disagree */
};
extern const char *const ci_method_names[];

/*
 * What a series says, in its own unit. A statistic that n samples cannot support is NaN: p90 needs
 * 36 samples, p99 368, p99.9 3688, lo and hi need 6. That is the smallest n for a two-sided 95 %
 * interval of the quantile (METHODS 3.2). Where samples depend on those before them, lo and hi need
 * 6 epochs.
 */
struct summary {
	size_t n;
	double min, p50, p90, p99, p999, max;
	double lo, hi;		/* 95 % confidence interval of the median */
	enum ci_method method;	/* of that interval */
	double acf1;		/* lag-1 autocorrelation; NaN if n < 3 or all are equal */
	double alike;		/* the larger of acf1 and that of the sides of the median; or 0 */
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
 * The same of a point that was visited n times, visit i up to sample ends[i]: each visit is a part
 * of the series. With FEWEST_VISITS or more the interval has order statistics of the visits'
 * medians: of 6 the least and the largest. With fewer it is that of all samples, if the visits'
 * intervals have a value in common; else from the lowest bound of any visit to the highest, none if
 * some visit has none. Fewer visits with less than FEWEST_UNVISITED samples have none.
 */
struct summary summarise_visits(const struct series *x, const size_t *ends, size_t n);

/*
 * Makes an interval reach half a step of the clock to both sides of the median. Samples of whole
 * steps can all be alike.
 */
void summary_widen(struct summary *s, double step);

/* Above this lag-1 autocorrelation samples may depend on those before them. */
#define ALIKE 0.1

/*
 * True if samples depend on those before them. Then a lag-1 autocorrelation, of the samples or of
 * their sides of the median, exceeds ALIKE. It also exceeds 1.645/sqrt(n) - 1/n, as independent
 * samples do by chance in one of twenty series. The sides are what the interval of a median goes
 * by; outliers do not hide them.
 */
bool series_depends(const struct series *x);

/*
 * The medians of epochs: consecutive parts of a series whose samples depend on those before them,
 * in order. Their number is the root of n, 6 at least (for an interval) and 20 at most. Each has at
 * least 2 samples, and at least 2 (1+r)/(1-r), where r is the autocorrelation. Every sample is in
 * one. Appends to `epochs`, an empty series that the caller frees. 0, or -1 if that leaves fewer
 * than 6 epochs or without memory.
 */
int series_epochs(const struct series *x, struct series *epochs);

/*
 * Events above a value come in clusters. A cluster ends with 10 events in a row that are not above
 * it. Yields clusters per event above the value; 1 without such events.
 */
double events_apart(const struct series *x, double value);

/* The fewest independent samples that bound quantile q by a 95 % interval: p50 6, p99 368. */
double quantile_least(double q);

/*
 * 95 % interval of quantile q of single events in their order; n times events_apart of them are
 * independent. It comes from the quantiles of 6 to 20 consecutive parts if each can have one. Else
 * it comes from order statistics of all, as if only the independent ones counted. NaN if they are
 * too few, or without memory.
 */
struct interval events_interval(const struct series *x, double q);

/*
 * The ratio of two medians: its interval, and the probability (two-sided) of a ratio as far from 1
 * if the medians are equal. That is never less than the number of samples allows.
 */
struct ratio {
	struct interval interval;
	double p_value;
};

/*
 * The median of b divided by the median of a, by bootstrap. The interval is from the 2.5 % to the
 * 97.5 % point of that ratio over `draws` resamples of both. A generator with this seed draws them.
 * Takes the same time for any number of samples but for sorting them. A series of one sample is a
 * known number. Samples are positive. 0, or -1 with an empty series, without draws or memory.
 */
int median_ratio(const struct series *a, const struct series *b, size_t draws, uint64_t seed,
		 struct ratio *ratio);

/*
 * 95 % interval of the median of b divided by that of a, by bootstrap. It contains that ratio.
 * Where samples depend on one another, the medians of epochs stand for them. NaN with fewer than 6
 * of them, or without memory.
 */
struct interval median_ratio_interval(const struct series *a, const struct series *b,
				      uint64_t seed);

/*
 * Appends the means of `parts` consecutive parts of a series, each of at least one sample, to
 * `means`. The caller frees that. 0, or -1 without memory.
 */
int series_means(const struct series *x, size_t parts, struct series *means);

#endif
