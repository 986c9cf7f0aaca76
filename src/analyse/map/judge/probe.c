/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/probe.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

#define PAIRS 8			/* largest number of pairs in a set */
#define SETS 2
#define SLOWED_LEAST 0.12
#define NOISES 4

/*
 * A pair and means of its two directions: in the visit for which it was chosen, in two measurements
 * alone, and in the other visits.
 */
struct probed {
	uint32_t i, j;
	double chosen, alone[2], others;
};

/* Mean of both directions of a pair in visit v. */
static double mean_of_directions(const struct matrix *m, uint32_t v, uint32_t i, uint32_t j)
{
	return ((double)m->y[matrix_at(m, v, i, j)] + m->y[matrix_at(m, v, j, i)]) / 2;
}

static int compare_chosen(const void *a, const void *b)
{
	const struct probed *x = a, *y = b;

	return order_doubles(x->chosen, y->chosen);
}

/* Mean of a pair's values in all visits except `visit`; NaN if there is none. */
static double mean_of_others(const struct matrix *m, uint32_t visit, uint32_t i, uint32_t j)
{
	double sum = 0, n = 0;

	for (uint32_t v = 0; v < m->nvisits; v++) {
		double y = v == visit ? NAN : mean_of_directions(m, v, i, j);

		sum += isnan(y) ? 0 : y;
		n += !isnan(y);
	}
	return sum / n;
}

/*
 * Chooses disjoint pairs, the slowest of a visit first. If `side` is not NULL, chooses only pairs
 * across the boundary. Returns their number.
 */
static uint32_t choose_pairs(const struct matrix *m, uint32_t visit, const struct rules *rules,
			     const bool *side, struct probed *to)
{
	struct scratch_piece *mark = rules->room->last;
	struct probed *all = scratch_take(rules->room, (size_t)m->n * m->n, sizeof(*all));
	bool *busy = scratch_take(rules->room, m->n, sizeof(*busy));
	uint32_t n = 0;
	size_t pairs = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = i + 1; j < m->n; j++) {
			if (side && side[i] == side[j])
				continue;
			all[pairs] = (struct probed){ .i = i, .j = j };
			all[pairs].chosen = mean_of_directions(m, visit, i, j);
			all[pairs].others = mean_of_others(m, visit, i, j);
			pairs += !isnan(all[pairs].chosen) && !isnan(all[pairs].others);
		}
	}
	qsort(all, pairs, sizeof(*all), compare_chosen);
	for (size_t k = 0; k < pairs && n < PAIRS && n < m->n / 2; k++) {
		if (busy[all[k].i] || busy[all[k].j])
			continue;
		busy[all[k].i] = busy[all[k].j] = true;
		to[n++] = all[k];
	}
	scratch_free(rules->room, mark);
	return n;
}

/* Measures each pair alone, twice. */
static void measure_alone(const struct matrix *m, const struct rules *rules, struct probed *at,
			  uint32_t n)
{
	for (uint32_t k = 0; k < 2 * n; k++) {
		struct encounter one = { at[k / 2].i, at[k / 2].j, NAN, NAN };

		ask_round(rules, m, &one, 1);
		at[k / 2].alone[k % 2] = ((double)one.ij + one.ji) / 2;
	}
}

/* Returns how much faster a pair is alone than in the other visits, as a logarithm. */
static double gain_alone(const struct probed *p)
{
	return fmax(p->alone[0], p->alone[1]) - p->others;
}

void probe_another_set(struct probing *p, const struct matrix *m, const struct rules *rules)
{
	struct probed at[PAIRS];
	uint32_t n = choose_pairs(m, p->sets, rules, NULL, at);
	double differ[PAIRS], g;
	size_t pairs = 0;

	measure_alone(m, rules, at, n);
	for (uint32_t k = 0; k < n; k++) {
		differ[pairs] = fabs(at[k].alone[0] - at[k].alone[1]);
		pairs += !isnan(differ[pairs]);
	}
	g = fmax(SLOWED_LEAST, NOISES * 1.4826 * select_median(differ, pairs) / sqrt(2));
	if (!p->of)
		p->of = scratch_take(rules->room, m->n, sizeof(*p->of));
	for (uint32_t k = 0; k < n; k++) {
		bool slowed = gain_alone(&at[k]) > g;

		p->of[at[k].i] += slowed;
		p->of[at[k].j] += slowed;
		p->slowed += slowed;
	}
	p->sets++;
	p->tried += n;
	p->one_host = 0;
	for (uint32_t i = 0; i < m->n; i++)
		p->one_host = p->of[i] > p->one_host ? p->of[i] : p->one_host;
}

double probe_across(const struct matrix *m, const struct rules *rules, const bool *side)
{
	struct probed at[PAIRS];
	uint32_t n = choose_pairs(m, 0, rules, side, at);
	double gain[PAIRS];
	size_t pairs = 0;

	measure_alone(m, rules, at, n);
	for (uint32_t k = 0; k < n; k++) {
		gain[pairs] = gain_alone(&at[k]);
		pairs += !isnan(gain[pairs]);
	}
	return select_median(gain, pairs);
}

bool probe_is_shared(const struct probing *p)
{
	uint32_t slowed = p->slowed - p->one_host;

	/*
	 * links are shared if half of the pairs of one set, or 5 of 16 pairs of two sets, were
	 * slowed
	 */
	return p->sets == 1 ? 2 * slowed >= p->tried : 16 * slowed >= 5 * p->tried;
}

bool probe_needs_more(const struct probing *p, bool verdict)
{
	return p->sets < SETS && !probe_is_shared(p) && (verdict || p->slowed > 1);
}
