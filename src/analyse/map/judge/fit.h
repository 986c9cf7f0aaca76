/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Model of the pairs' values: x(i,j) = mu + s_i + r_j + e(i,j). All values are logarithms. mu, s
 * and r are medians, so faults of fewer than half of the hosts do not change them.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_FIT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_FIT_H

#include "analyse/map/judge/rules.h"
#include "base/sort.h"

/*
 * FIT_SAMPLE: largest number of values in the median of a row, a column or a round. FIT_MANY:
 * largest number of values in a median over all pairs.
 */
enum { FIT_SAMPLE = 256, FIT_MANY = 65536 };

/*
 * A sample of the values of each row, or each column, of x. It is spread evenly, and contains all
 * values if they are few.
 */
struct sample {
	uint32_t width;		/* largest number of values of a row */
	/* number of values taken from each row; number of its values that exist */
	uint32_t *n, *all;
	uint32_t *skipped;	/* counter that decides when the next value is taken */
	uint32_t *who;		/* [row][width]: the other host */
	float *x;
};

static inline size_t sample_at(const struct sample *s, uint32_t row, uint32_t k)
{
	return (size_t)row * s->width + k;
}

/* What each host adds to its pairs' values: as a sender (s), or as a receiver (r). */
struct effects {
	double *of, *se;	/* effects by (4) or (8), and their standard errors by (6) */
	bool *bad;		/* suspects by (7); later the named hosts */
	/* values of each host's pairs: its row of x for s, its column for r */
	struct sample values;
};

struct peers {
	const struct matrix *m;
	const struct rules *rules;
	struct scratch *room;
	uint32_t n;
	float *x;		/* [sender][receiver]: median over the visits (2); NaN: no value */
	/*
	 * c[visit][round]: common effect; the entry [visit][nrounds] is for values without a round
	 */
	double *c;
	double sigma, sp;	/* standard deviations: of a single visit's value (3), and of x */
	double mu;		/* value of a usual pair, by (4) or (8) */
	struct effects s, r;	/* effects of senders, and of receivers */
	bool *varies;		/* [host]: true if the host is unsteady */
	double *work;		/* working memory for FIT_MANY values plus one for each host */
};

/* Allocates a fit without estimates. It lives as long as the memory in rules->room. */
struct peers fit_make(const struct matrix *m, const struct rules *rules);

/* Sets c for whole visits, not for rounds, and then x. Used for blocks and for few hosts. */
void fit_centre_visits(struct peers *f);

/*
 * Estimates sigma by (3), and mu, s and r by (4). Estimates sp from the residuals, and in quick
 * mode also sigma. Returns the largest change of s or r since the previous call. Overwrites the
 * standard errors of s and r with working values.
 */
double fit_median_polish(struct peers *f);

/*
 * Sets c for visits. Also sets c for rounds, if rounds are known and have enough pairs. Then sets
 * x, and makes the estimates of fit_median_polish().
 */
void fit_all(struct peers *f);

/* Set the standard errors of s and r by (5) and (6), and mark suspects by (7). */
void fit_errors(struct peers *f);
void mark_suspects(struct peers *f);

/*
 * Estimates mu, s and r by (8), from the hosts that are neither bad nor unsteady. Also sets the
 * standard errors by (5) and (6).
 */
void fit_to_good_hosts(struct peers *f);

/*
 * True if a host is neither bad nor unsteady, and has met another host. fit_ngood() counts such
 * hosts.
 */
bool fit_is_good(const struct peers *f, uint32_t host);
uint32_t fit_ngood(const struct peers *f);

/* Returns the expected value of sender i with receiver j (9), a logarithm. */
double fit_expected(const struct peers *f, uint32_t i, uint32_t j);

/* Returns y of a pair in a visit, minus the common effects of that visit and its round. */
double fit_value(const struct peers *f, uint32_t visit, uint32_t i, uint32_t j);

/*
 * Returns k_V: the standard deviation of the median of nvisits values, in units of one value's
 * standard deviation.
 */
double median_deviation(uint32_t nvisits);

/* Returns the residual e(i,j): x(i,j) minus mu, s_i and r_j. */
double fit_residual(const struct peers *f, uint32_t i, uint32_t j);

/*
 * An iterator over ordered pairs, evenly spread over all: for (w = fit_walk(f, values);
 * next_pair(&w);). If each pair has `values` values, the iterator visits pairs with about FIT_MANY
 * values in total.
 */
struct pair_walk {
	uint32_t n, i, j;
	size_t at, stride;	/* i * n + j */
};
struct pair_walk fit_walk(const struct peers *f, size_t values);
bool next_pair(struct pair_walk *w);

/*
 * Returns sigma by (3), but without the lower limit; NaN for one visit. If `both` is true, returns
 * instead the noise of (y_v(i,j) + y_v(j,i)) / 2.
 */
double fit_noise(const struct peers *f, bool both);

#endif
