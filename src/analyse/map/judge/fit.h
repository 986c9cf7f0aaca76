/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values to expect of pairs: x(i,j) = mu + s_i + r_j + e(i,j). Medians estimate them: faults of
 * fewer than half of the hosts do not move these. All in logs.
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_FIT_H
#define NETBENCH_ANALYSE_MAP_JUDGE_FIT_H

#include "analyse/map/judge/rules.h"
#include "base/sort.h"

/* Most values in a median of a row, a column or a round; in a median over all pairs. */
enum { FIT_SAMPLE = 256, FIT_MANY = 65536 };

/* Some values of each row, or column, of x, spread over it; all if they are few. */
struct sample {
	uint32_t width;		/* most of each */
	uint32_t *n, *all;	/* values taken; values that are there */
	uint32_t *skipped;	/* how far the next value to take is */
	uint32_t *who;		/* [row][width]: the other host */
	float *x;
};

static inline size_t sample_at(const struct sample *s, uint32_t row, uint32_t k)
{
	return (size_t)row * s->width + k;
}

/* What hosts add to the values of their pairs as senders, or as receivers. */
struct effects {
	double *of, *se;	/* (4), or (8); (6) */
	bool *bad;		/* suspects of (7), later named ones */
	struct sample values;	/* of each host's pairs: of a row, or of a column */
};

struct peers {
	const struct matrix *m;
	const struct rules *rules;
	struct scratch *room;
	uint32_t n;
	float *x;		/* (2): [sender][receiver], median of the visits; or NaN */
	double *c;		/* [visit][round]: common effect; the last is the visit's alone */
	double sigma, sp;	/* noise of a visit, of x: (3) */
	double mu;		/* (4), or (8) */
	struct effects s, r;	/* of senders, of receivers */
	bool *varies;		/* unsteady hosts */
	double *work;		/* room for FIT_MANY, and for all hosts */
};

/* Makes one without any estimate, which lives as long as the room of the rules. */
struct peers fit_make(const struct matrix *m, const struct rules *rules);

/* c of visits alone, and with that x: for blocks, and for few hosts. */
void fit_centre_visits(struct peers *f);

/*
 * (3): sigma; (4): mu, s, r, and from the residuals sp, in quick mode sigma as well. Yields the
 * largest change of s or r since the last call. Overwrites their errors with other numbers.
 */
double fit_polish(struct peers *f);

/*
 * c of visits and, where rounds are known and have enough pairs, of rounds; x, and all that
 * fit_polish makes of it.
 */
void fit_all(struct peers *f);

/* (5), (6): errors of s and r; (7): suspects. */
void fit_errors(struct peers *f);
void fit_suspect(struct peers *f);

/* (8), with (5) and (6): mu, s, r by the hosts that are neither bad nor vary. */
void fit_against_good(struct peers *f);

/* True if a host is neither bad nor unsteady, and has met another; the number of such hosts. */
bool fit_is_good(const struct peers *f, uint32_t host);
uint32_t fit_ngood(const struct peers *f);

/* (9): the value to expect of sender i with receiver j. */
double fit_expected(const struct peers *f, uint32_t i, uint32_t j);

/* y without the common effects of its visit and round. */
double fit_value(const struct peers *f, uint32_t visit, uint32_t i, uint32_t j);

/* k_V: the deviation of a median of this number of visits, in units of a visit's sigma. */
double fit_k(uint32_t nvisits);

/* x without mu, s and r. */
double fit_residual(const struct peers *f, uint32_t i, uint32_t j);

/*
 * A walk over ordered pairs, evenly spread over all: for (w = fit_walk(f, values); walk_on(&w);).
 * With `values` of each pair it sees about FIT_MANY values.
 */
struct pair_walk {
	uint32_t n, i, j;
	size_t at, stride;	/* i * n + j */
};
struct pair_walk fit_walk(const struct peers *f, size_t values);
bool walk_on(struct pair_walk *w);

/* (3) without its floor, of (y_v(i,j) + y_v(j,i)) / 2 if `both`; NaN for one visit. */
double fit_noise(const struct peers *f, bool both);

#endif
