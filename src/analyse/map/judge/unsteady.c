/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/unsteady.h"

#include <math.h>

#define G_LEAST 0.10
#define G_SIGMAS 6
#define SHARE_LEAST 0.4
#define PAIRS_LEAST 3
/* quick mode: the share of an unsteady host's meetings that are slow is between these limits */
#define QUICK_LEAST 0.25
#define QUICK_MOST 0.85
#define QUICK_MEETINGS 5

/*
 * Values for each host and its sample of partners (f->s.values); `k` is an index into that sample.
 */
struct mixes {
	uint8_t *is;		/* [host][k]: true if the pair is mixed */
	float *drop;		/* [host][k]: how much the pair's values differ between visits */
	/*
	 * [host]: numbers of mixed pairs and of all pairs; pairs of hosts that were already found
	 * do not count
	 */
	uint32_t *mixed, *met;
};

/* Mean of both directions of a pair in a visit, minus common effects. */
static double mean_of_directions(const struct peers *f, uint32_t v, uint32_t i, uint32_t j)
{
	return (fit_value(f, v, i, j) + fit_value(f, v, j, i)) / 2;
}

/*
 * Returns the range of a pair's values over its visits, a logarithm. In quick mode, returns how
 * much slower than usual the pair is.
 */
static double pair_drop(const struct peers *f, uint32_t i, uint32_t j)
{
	uint32_t visits = f->m->nvisits, n = 0, low = visits >= 5 && f->n >= 8;
	double *u = f->work;

	if (matrix_is_quick(f->m))
		return f->mu - mean_of_directions(f, 0, i, j);
	for (uint32_t v = 0; v < visits; v++) {
		u[n] = mean_of_directions(f, v, i, j);
		n += !isnan(u[n]);
	}
	if (n < 2 + low)
		return NAN;
	sort_doubles(u, n);
	return u[n - 1] - u[low];
}

/* Counts each host's mixed pairs. Leaves out hosts that were already found, and their pairs. */
static void count_mixed(const struct peers *f, struct mixes *x)
{
	const struct sample *rows = &f->s.values;

	for (uint32_t i = 0; i < f->n; i++) {
		x->mixed[i] = x->met[i] = 0;
		for (uint32_t k = 0; k < rows->n[i] && !f->varies[i]; k++) {
			size_t at = sample_at(rows, i, k);

			if (f->varies[rows->who[at]] || isnan(x->drop[at]))
				continue;
			x->met[i]++;
			x->mixed[i] += x->is[at];
		}
	}
}

/* Returns the suspect with the largest share of mixed pairs; n if there is no suspect. */
static uint32_t worst_suspect(const struct peers *f, const struct mixes *x)
{
	uint32_t best = f->n, least = matrix_is_quick(f->m) ? QUICK_MEETINGS : PAIRS_LEAST;
	double low = matrix_is_quick(f->m) ? QUICK_LEAST : SHARE_LEAST, most = 0;
	double high = matrix_is_quick(f->m) ? QUICK_MOST : 1;

	for (uint32_t i = 0; i < f->n; i++) {
		double share = (double)x->mixed[i] / x->met[i];

		if (f->varies[i] || x->mixed[i] < least || !(share >= low && share <= high) ||
		    (best < f->n && !(share > most)))
			continue;
		best = i;
		most = share;
	}
	return best;
}

/* Median drop of a host's mixed pairs. */
static double median_drop(struct peers *f, const struct mixes *x, uint32_t host)
{
	const struct sample *rows = &f->s.values;
	size_t n = 0;

	for (uint32_t k = 0; k < rows->n[host]; k++) {
		size_t at = sample_at(rows, host, k);

		if (x->is[at] && !f->varies[rows->who[at]])
			f->work[n++] = x->drop[at];
	}
	return select_median(f->work, n);
}

struct unsteady unsteady_find(struct peers *f)
{
	const struct sample *rows = &f->s.values;
	size_t pairs = (size_t)f->n * rows->width;
	double sigma = matrix_is_quick(f->m) ? f->sigma / (f->m->symmetric ? 1 : sqrt(2))
					  : fit_noise(f, true);
	struct mixes x = { .is = scratch_take(f->room, pairs, sizeof(*x.is)),
			   .drop = scratch_take(f->room, pairs, sizeof(*x.drop)),
			   .mixed = scratch_take(f->room, f->n, sizeof(*x.mixed)),
			   .met = scratch_take(f->room, f->n, sizeof(*x.met)) };
	struct unsteady u = { .g = fmax(fmax(G_LEAST, f->rules->limits.host), G_SIGMAS * sigma),
			      .at = scratch_take(f->room, f->n + 1, sizeof(*u.at)) };
	uint32_t mixed = 0, met = 0, host;

	for (uint32_t i = 0; i < f->n; i++) {
		for (uint32_t k = 0; k < rows->n[i]; k++) {
			size_t at = sample_at(rows, i, k);

			x.drop[at] = (float)pair_drop(f, i, rows->who[at]);
			x.is[at] = x.drop[at] > u.g;
		}
	}
	/*
	 * Find hosts one by one, the worst first. The pairs of a host that was found do not count
	 * for other hosts.
	 */
	count_mixed(f, &x);
	while (u.n <= f->n / 2 && (host = worst_suspect(f, &x)) < f->n) {
		u.at[u.n++] = (struct vary){ host, x.mixed[host], x.met[host],
					     median_drop(f, &x, host) };
		f->varies[host] = true;
		count_mixed(f, &x);
	}
	for (uint32_t i = 0; i < f->n; i++) {
		mixed += x.mixed[i];
		met += x.met[i];
	}
	/* divide by 2, because each pair was counted for both of its hosts */
	u.elsewhere = (mixed / 2 + 1.0) / (met / 2 + 1.0);
	return u;
}

double binomial_tail(uint32_t n, uint32_t k, double p)
{
	double sum = 0;

	if (p >= 1)
		return 1;
	for (; k <= n; k++)
		sum += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) +
			   k * log(p) + (n - k) * log1p(-p));
	return fmin(sum, 1);
}
