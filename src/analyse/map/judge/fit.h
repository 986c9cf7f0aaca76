/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected values of pairs: x(i,j) = mu + s_i + r_j + e(i,j). Medians estimate them, so faults of
 * fewer than half of the hosts do not change them. All values are logarithms.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_FIT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_FIT_H

#include "analyse/map/judge/rules.h"
#include "base/sort.h"

/*
 * Largest number of values in a median of a row, a column or a round; and in a median over all
 * pairs.
 */
enum { FIT_SAMPLE = 256, FIT_MANY = 65536 };

/*
 * A sample of the values of each row, or column, of x, spread over it; all values if they are few.
 */
struct sample {
	uint32_t width;		/* largest number of values of each */
	uint32_t *n, *all;	/* number of values taken; number of values that exist */
	uint32_t *skipped;	/* progress towards the next value that is taken */
	uint32_t *who;		/* [row][width]: the other host */
	float *x;
};

static inline size_t sample_at(const struct sample *s, uint32_t row, uint32_t k)
{
	return (size_t)row * s->width + k;
}

/* What each host adds to the values of its pairs, as a sender or as a receiver. */
struct effects {
	double *of, *se;	/* effects, by (4) or (8); standard errors, by (6) */
	bool *bad;		/* suspects by (7); later the named hosts */
	struct sample values;	/* values of each host's pairs, from a row or a column */
};

struct peers {
	const struct matrix *m;
	const struct rules *rules;
	struct scratch *room;
	uint32_t n;
	float *x;		/* (2): [sender][receiver], median of the visits; NaN: no value */
	double *c;	/* [visit][round]: common effect; the last entry is the visit's alone */
	double sigma, sp;	/* (3): standard deviation of a visit, and of x */
	double mu;		/* (4), or (8) */
	struct effects s, r;	/* effects of senders, and of receivers */
	bool *varies;		/* unsteady hosts */
	double *work;		/* working memory: FIT_MANY values, and one for each host */
};

/* Allocates a fit without estimates, which lives as long as the room of the rules. */
struct peers fit_make(const struct matrix *m, const struct rules *rules);

/* Sets c of whole visits only, and x from it. For blocks, and for few hosts. */
void fit_centre_visits(struct peers *f);

/*
 * Estimates sigma by (3); mu, s and r by (4); and sp from the residuals, in quick mode also sigma.
 * Returns the largest change of s or r since the last call. Overwrites their standard errors with
 * other numbers.
 */
double fit_median_polish(struct peers *f);

/*
 * Sets c of visits; also c of rounds, if rounds are known and have enough pairs. Then sets x, and
 * the estimates of fit_median_polish().
 */
void fit_all(struct peers *f);

/* Set the standard errors of s and r by (5) and (6), and mark suspects by (7). */
void fit_errors(struct peers *f);
void mark_suspects(struct peers *f);

/*
 * Estimates mu, s and r by (8), from hosts that are neither bad nor unsteady. Also sets errors by
 * (5) and (6).
 */
void fit_to_good_hosts(struct peers *f);

/*
 * True if a host is neither bad nor unsteady, and has met another host. fit_ngood() counts such
 * hosts.
 */
bool fit_is_good(const struct peers *f, uint32_t host);
uint32_t fit_ngood(const struct peers *f);

/* (9): the expected value of sender i with receiver j. */
double fit_expected(const struct peers *f, uint32_t i, uint32_t j);

/* y without the common effects of its visit and round. */
double fit_value(const struct peers *f, uint32_t visit, uint32_t i, uint32_t j);

/* k_V: standard deviation of a median of this number of visits, in units of a visit's sigma. */
double median_deviation(uint32_t nvisits);

/* x without mu, s and r. */
double fit_residual(const struct peers *f, uint32_t i, uint32_t j);

/*
 * An iterator over ordered pairs, evenly spread over all: for (w = fit_walk(f, values);
 * next_pair(&w);). If each pair has `values` values, it visits pairs with about FIT_MANY values in
 * total.
 */
struct pair_walk {
	uint32_t n, i, j;
	size_t at, stride;	/* i * n + j */
};
struct pair_walk fit_walk(const struct peers *f, size_t values);
bool next_pair(struct pair_walk *w);

/*
 * (3) without its lower limit; NaN for one visit. With `both` it is the noise of (y_v(i,j) +
 * y_v(j,i)) / 2.
 */
double fit_noise(const struct peers *f, bool both);

#endif
