/* SPDX-License-Identifier: Apache-2.0 */
#include "model/logp.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read/fields.h"

/* The values that a parsed text gives. A field that is not in the text is NaN. */
struct logp_said {
	double L, o, o_s, o_r, g;
	struct numbers P;
};

static const struct field fields[] = {
	{ "L", NUMBER_SECONDS, offsetof(struct logp_said, L), .required = true },
	{ "o", NUMBER_SECONDS, offsetof(struct logp_said, o), .required = false },
	{ "o_s", NUMBER_SECONDS, offsetof(struct logp_said, o_s), .required = false },
	{ "o_r", NUMBER_SECONDS, offsetof(struct logp_said, o_r), .required = false },
	{ "g", NUMBER_SECONDS, offsetof(struct logp_said, g), .required = true },
	{ "P", NUMBER_WHOLE, offsetof(struct logp_said, P), .min = 2, .max = LOGP_MOST,
	  .list = true },
	{ 0 },
};

/*
 * Sets *seconds to true if the times in a text such as "L=6us,o=2us" have units, else to false.
 * Reports a text in which some times have a unit and some have none. A time of 0 needs no unit.
 * Returns ST_OK or ST_USAGE.
 */
static int find_unit(const char *text, bool *seconds)
{
	bool plain = false;

	*seconds = false;
	for (const char *end; *text; text = end + !!*end) {
		const char *value = strchr(text, '=');

		end = text + strcspn(text, ",");
		if (*text == 'P' || !value || value >= end ||
		    !strncmp(value, "=0,", (size_t)(end - value) + 1) ||
		    (end == value + 2 && value[1] == '0'))
			continue;
		*seconds |= isalpha((unsigned char)end[-1]) != 0;
		plain |= !isalpha((unsigned char)end[-1]);
	}
	if (*seconds && plain)
		return error_usage(
			"logp: some times have a unit and some have none: cycles or seconds?");
	return ST_OK;
}

int logp_parse(const char *text, struct logp *p, struct numbers *processors, bool *seconds)
{
	struct logp_said given = { NAN, NAN, NAN, NAN, NAN, { NULL, 0 } };
	int err = fields_parse("logp", text, fields, 1, &given);

	if (!err)
		err = find_unit(text, seconds);
	*p = (struct logp){ given.L, isnan(given.o_s) ? given.o : given.o_s,
			    isnan(given.o_r) ? given.o : given.o_r, given.g,
			    given.P.n == 1 ? (uint32_t)given.P.v[0] : 0 };
	*processors = given.P;
	if (!err && (isnan(p->o_s) || isnan(p->o_r)))
		err = error_usage("logp: field 'o' is missing");
	else if (!err && !(logp_interval(p) > 0))
		err = error_usage("logp: o and g are 0: messages would take no time to send");
	if (err) {
		free(processors->v);
		*processors = (struct numbers){ .n = 0 };
	}
	return err;
}

double logp_interval(const struct logp *p)
{
	return fmax(p->o_s, p->g);
}

double logp_one_way(const struct logp *p)
{
	return p->L + p->o_s + p->o_r;
}

double logp_broadcast(const struct logp *p, enum tree_kind kind, uint32_t k)
{
	return tree_span(kind, k, p->P, logp_one_way(p), logp_interval(p));
}

/*
 * Returns the depth of a heap of n nodes with arity k: the smallest h with 1 + k + ... + k^h >= n.
 */
static double heap_depth(double n, double k)
{
	double h = 0, level = 1;

	for (double reach = 1; reach < n; reach += level) {
		level *= k;
		h++;
	}
	return h;
}

/* Returns the bound `closed` (struct logp_bounds) of a k-nomial tree. */
static double nomial_bound(const struct logp *p, double k)
{
	double m = logp_interval(p), u = logp_one_way(p) + (k - 2) * m, d = 0;

	for (double reach = 1; reach < p->P; reach *= k)
		d++;	/* the smallest d with k^d >= P */
	return d ? u + (d - 1) * fmax(u, (k - 1) * m) : 0;
}

struct logp_bounds logp_bounds(const struct logp *p, enum tree_kind kind, uint32_t k)
{
	double A = logp_one_way(p), m = logp_interval(p), n = p->P, level = A + (k - 1.0) * m;
	struct logp_bounds b = { NAN, NAN };

	switch (kind) {
	case TREE_LINEAR:
		b = (struct logp_bounds){ A + (n - 2) * m, A + (n - 2) * m };
		break;
	case TREE_BINARY:
		b = (struct logp_bounds){ heap_depth(n, 2) * (A + m), log2(n) * (A + m) };
		break;
	case TREE_KARY:
		b = (struct logp_bounds){ heap_depth(n, k) * level, log(n) / log(k) * level };
		break;
	case TREE_BINOMIAL:
		b = (struct logp_bounds){ nomial_bound(p, 2), log2(n) * A };
		break;
	case TREE_KNOMIAL:
		b = (struct logp_bounds){ nomial_bound(p, k), log(n) / log(k) * level };
		break;
	default:
		break;
	}
	if (p->P < 2)
		b.closed = 0;
	return b;
}

/* Returns the k > 1 with m k (ln k - 1) = c. The left side rises with k. */
static double solve_for_arity(double m, double c)
{
	double low = 1, high = 2;

	while (m * high * (log(high) - 1) < c)
		high *= 2;
	for (int i = 0; i < 200; i++) {
		double k = (low + high) / 2;

		*(m * k * (log(k) - 1) < c ? &low : &high) = k;
	}
	return low;
}

double logp_best_kary(const struct logp *p)
{
	return solve_for_arity(logp_interval(p), logp_one_way(p) - logp_interval(p));
}

double logp_best_knomial(const struct logp *p)
{
	double A = logp_one_way(p), m = logp_interval(p);

	return A < m ? NAN : solve_for_arity(m, A - 2 * m);
}

/*
 * For k >= P every tree is a linear tree. In a tree with arity k, the root sends to at least k - 1
 * nodes. This gives a lower bound of the time, which rises with k. The search ends when this bound
 * exceeds the best time.
 */
uint32_t logp_best_integer(const struct logp *p, enum tree_kind kind, double *time)
{
	double A = logp_one_way(p), m = logp_interval(p);
	uint32_t best = 2, last = p->P > 2 ? p->P : 2;

	*time = tree_span(kind, 2, p->P, A, m);
	for (uint32_t k = 3; k <= last; k++) {
		double t = tree_span(kind, k, p->P, A, m);

		if (A + (fmin(k, p->P - 1.0) - (kind == TREE_KNOMIAL ? 2 : 1)) * m > *time)
			break;
		if (t < *time * (1 - 1e-12)) {
			*time = t;
			best = k;
		}
	}
	return best;
}

double logp_reach(const struct logp *p, double t)
{
	double A = logp_one_way(p), m = logp_interval(p), sum = 0;

	for (double k = 0; k * A <= t || k == 0; k++) {
		double n = floor((t - k * A) / m + 1e-9) + k, c = 1;

		for (double i = 1; i <= k; i++)
			/* C(n, k), exact as long as a double can hold it */
			c = c * (n - k + i) / i;
		sum += round(c);
	}
	return t < A ? 1 : sum;
}

/* Returns the value at time t of a number that is 1 at time 0 and doubles after every `step`. */
static double number_doubled(double t, double step)
{
	return exp2(floor(t / step + 1e-9));
}

struct logp_range logp_reach_bounds(const struct logp *p, double t)
{
	double A = logp_one_way(p), m = logp_interval(p);

	return (struct logp_range){ number_doubled(t, fmax(A, m)), number_doubled(t, fmin(A, m)) };
}

struct logp_range logp_reach_lecture(const struct logp *p, double t)
{
	return (struct logp_range){ number_doubled(t, logp_one_way(p)),
				    p->o_s > 0 ? number_doubled(t, p->o_s) : INFINITY };
}

uint64_t logp_capacity(const struct logp *p)
{
	return p->g > 0 ? (uint64_t)ceil(p->L / p->g) : 0;
}

/* Returns the time to exchange n points each way (METHODS 26, 27 by eq. 87). */
static double exchange_points(const struct logp *p, double n)
{
	return fmax(logp_one_way(p) + (n - 1) * fmax(p->g, fmax(p->o_s, p->o_r)),
		    n * (p->o_s + p->o_r));
}

struct fft_costs logp_fft(const struct logp *p, double n)
{
	double each = n / p->P, moved = each - each / p->P;
	struct fft_costs f = { 0 };

	f.block = log2(p->P) * exchange_points(p, each);
	f.hybrid = exchange_points(p, moved);
	f.block_lecture = log2(p->P) * (p->g * each + p->L);
	f.hybrid_lecture = p->g * moved + p->L;
	f.remaps = each > 1 ? ceil(log2(n) / log2(each)) - 1 : INFINITY;
	f.lower_bound = p->g > logp_one_way(p);
	if (p->P < 2)
		f.block = f.hybrid = f.block_lecture = f.hybrid_lecture = f.remaps = 0;
	else if (each < p->P)
		f.hybrid = f.hybrid_lecture = NAN;
	return f;
}
