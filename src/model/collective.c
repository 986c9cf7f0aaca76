/* SPDX-License-Identifier: Apache-2.0 */
#include "model/collective.h"

#include <math.h>

#include "model/tree.h"

static double overhead_sum(const struct loggp *p)
{
	return p->o_s + p->o_r;
}

/* Returns A_k, for a k that may exceed the range of integers. */
static double one_way_time(const struct loggp *p, double k)
{
	return overhead_sum(p) + (fmax(k - 1, 0) * p->G + p->L);
}

double collective_ring(const struct loggp *p, uint64_t k, uint64_t P)
{
	double A = loggp_one_way(p, k);

	return A + ((double)P - 2) * fmax(A, loggp_gamma(p, k));
}

#define DIGITS 32

/*
 * Returns the time until all of r ranks have their own k bytes. The time counts from the moment at
 * which the first of these ranks has the bytes for all of them. full[i] is this time for 2^i ranks,
 * and is needed for all 2^i < r. Only the first subtree may be incomplete.
 */
static double scatter_subtree_time(const struct loggp *p, double k, uint32_t r, const double *full)
{
	double last = 0, start = 0;
	uint32_t place = 0;

	while (r > 1 && (uint64_t)2 << place < r)
		place++;
	for (uint32_t i = place; r > 1; i--) {
		uint32_t part = r - (1U << i) < 1U << i ? r - (1U << i) : 1U << i;
		double under = part == 1U << i ? full[i] : scatter_subtree_time(p, k, part, full);

		last = fmax(last, start + one_way_time(p, k * part) + under);
		start += fmax(p->o_s, p->g + fmax(k * part - 1, 0) * p->G);
		if (!i)
			break;
	}
	return last;
}

double collective_scatter(const struct loggp *p, uint64_t k, uint64_t P)
{
	double full[DIGITS] = { 0 }, each = (double)k;

	for (uint32_t i = 1; i < DIGITS && 1U << i < P; i++)
		full[i] = scatter_subtree_time(p, each, 1U << i, full);
	return scatter_subtree_time(p, each, (uint32_t)P, full);
}

double collective_binomial(const struct loggp *p, uint64_t k, uint64_t P)
{
	return tree_span(TREE_BINOMIAL, 2, (uint32_t)P, loggp_one_way(p, k),
			 loggp_send_interval(p, k));
}

/* Returns the number of segments of s bytes in k bytes. */
static double count_segments(uint64_t k, uint64_t s)
{
	return k ? (double)((k - 1) / s + 1) : 1;
}

double collective_chain(const struct loggp *p, uint64_t k, uint64_t s, uint64_t P)
{
	double A = loggp_one_way(p, s), gamma = loggp_gamma(p, s), more = count_segments(k, s) - 1;

	if (P == 2)
		return A + more * fmax(gamma, fmax(p->o_s, p->o_r));
	return ((double)P - 1) * A + more * fmax(gamma, overhead_sum(p));
}

double collective_tree(const struct loggp *p, uint64_t k, uint64_t s, uint64_t P)
{
	double A = loggp_one_way(p, s), I = loggp_send_interval(p, s);
	double h = 0, N = count_segments(k, s), pace;

	if (P == 2)
		return collective_chain(p, k, s, P);
	while (h < 63 && (UINT64_C(2) << (int)h) - 1 < P)
		h++;
	/* in a tree of height 1, no rank both receives and sends */
	pace = fmax(2 * I, h > 1 ? p->o_s + overhead_sum(p) : p->o_r);
	return h * (A + I) + (N - 1) * pace;
}

double collective_scatter_ring(const struct loggp *p, uint64_t k, uint64_t P)
{
	uint64_t each = k ? (k - 1) / P + 1 : 0;

	return collective_scatter(p, each, P) + collective_ring(p, each, P);
}

/* Returns a segment size rounded to a whole number of bytes, from 1 to k. */
static uint64_t whole_segment(double s, uint64_t k)
{
	if (!(s >= 1) || !k)
		return 1;
	return s < (double)k ? (uint64_t)s : k;
}

/*
 * Returns the segment size of METHODS 33. One segment is best if a byte costs nothing (G = 0) or if
 * there is only one receiver. Segments get equal lengths, because a shorter last segment would cost
 * as much as the others.
 */
uint64_t collective_chain_segment(const struct loggp *p, uint64_t k, uint64_t P)
{
	double s = (double)k, n;
	uint64_t best;

	if (p->G > 0 && P >= 3) {
		double by_gap = sqrt(s * p->g / (((double)P - 2) * p->G));
		double by_cpu = sqrt(overhead_sum(p) * s / (((double)P - 1) * p->G));
		double cross = 1 + (overhead_sum(p) - p->g) / p->G;

		s = by_gap >= cross ? by_gap : fmin(by_cpu, cross);
	}
	best = whole_segment(s, k);
	n = count_segments(k, best);
	for (double more = fmax(n - 1, 1); more <= n + 1; more++) {
		uint64_t tried = whole_segment(ceil((double)k / more), k);

		if (collective_chain(p, k, tried, P) < collective_chain(p, k, best, P))
			best = tried;
	}
	return best;
}

/*
 * Tries numbers of segments in steps of 1 %. Apart from rounding, the time is a convex function of
 * the number of segments.
 */
uint64_t collective_best_segment_B(const struct loggp *p, uint64_t k, uint64_t P)
{
	uint64_t best = whole_segment((double)k, k);

	for (double n = 1; n <= (double)k; n = fmax(n + 1, floor(n * 1.01))) {
		uint64_t s = whole_segment(ceil((double)k / n), k);

		if (collective_tree(p, k, s, P) < collective_tree(p, k, best, P))
			best = s;
	}
	return best;
}

struct fft_costs collective_fft(const struct loggp *p, double b, double n, uint64_t P)
{
	double ranks = (double)P, each = n / ranks, K = b * each / ranks;
	struct fft_costs f = { 0 };

	f.block = log2(ranks) * one_way_time(p, b * each);
	f.hybrid = fmax(one_way_time(p, K) +
			(ranks - 2) * fmax(p->g + fmax(K - 1, 0) * p->G, fmax(p->o_s, p->o_r)),
			(ranks - 1) * overhead_sum(p));
	f.hybrid = each < ranks ? NAN : f.hybrid;
	return f;
}
