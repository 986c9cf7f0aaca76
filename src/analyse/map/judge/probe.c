/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/probe.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/sort.h"

#define PAIRS 8			/* largest number of pairs in a set */
#define SETS 2
#define TURNS 2			/* number of measurements of a pair, alone and together */
#define SLOWED_LEAST 0.12
#define NOISES 4
/*
 * the quartile of differences of two values, as differ[2] of 8, in units of their standard
 * deviation
 */
#define QUARTILE 0.37

/*
 * A pair and means of its two directions: in the visit for which it was chosen, in two measurements
 * alone, and in two rounds of all hosts. These take turns, so that a load that comes or goes slows
 * both alike.
 */
struct probed {
	uint32_t i, j;
	double chosen, alone[TURNS], together[TURNS];
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
			pairs += !isnan(all[pairs].chosen);
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

/* Measures a round of n pairs, and sets y[k] to the mean of both directions of pair k. */
static void measure_pairs(const struct matrix *m, const struct rules *rules, struct encounter *at,
			  size_t n, double *y)
{
	ask_round(rules, m, at, n);
	for (size_t k = 0; k < n; k++)
		y[k] = ((double)at[k].ij + at[k].ji) / 2;
}

/*
 * Fills a round that has n pairs with random pairs of the other hosts. As in visits, the first host
 * of a pair has the lower number. Returns the number of pairs.
 */
static size_t add_other_pairs(const struct rules *rules, uint32_t hosts, struct rng *rng,
			      struct encounter *at, size_t n)
{
	uint32_t *order = scratch_take(rules->room, hosts, sizeof(*order)), waiting = hosts;
	bool *busy = scratch_take(rules->room, hosts, sizeof(*busy));

	for (size_t k = 0; k < n; k++)
		busy[at[k].i] = busy[at[k].j] = true;
	rng_permutation(rng, order, hosts);
	for (uint32_t k = 0; k < hosts; k++) {
		if (busy[order[k]])
			continue;
		if (waiting < hosts)
			at[n++] = (struct encounter){ waiting < order[k] ? waiting : order[k],
						      waiting < order[k] ? order[k] : waiting,
						      NAN, NAN };
		waiting = waiting < hosts ? hosts : order[k];
	}
	return n;
}

/* Measures pairs: each one alone, then all of them in a round of all hosts, and so on in turns. */
static void measure_in_turns(const struct matrix *m, const struct rules *rules, struct probed *at,
			     uint32_t n)
{
	struct scratch_piece *mark = rules->room->last;
	struct encounter *round = scratch_take(rules->room, m->n, sizeof(*round));
	double *y = scratch_take(rules->room, m->n, sizeof(*y));
	struct rng rng;

	rng_seed(&rng, rules->seed + 4);
	for (int turn = 0; turn < TURNS; turn++) {
		for (uint32_t k = 0; k < n; k++)
			round[k] = (struct encounter){ at[k].i, at[k].j, NAN, NAN };
		for (uint32_t k = 0; k < n; k++)
			measure_pairs(m, rules, &round[k], 1, &at[k].alone[turn]);
		measure_pairs(m, rules, round, add_other_pairs(rules, m->n, &rng, round, n), y);
		for (uint32_t k = 0; k < n; k++)
			at[k].together[turn] = y[k];
	}
	scratch_free(rules->room, mark);
}

/*
 * Returns how much faster a pair is in the better of two turns x than in the mean of two turns y, a
 * logarithm.
 */
static double gain_of(const double *x, const double *y)
{
	return fmax(x[0], x[1]) - midpoint(y[0], y[1]);
}

void probe_another_set(struct probing *p, const struct matrix *m, const struct rules *rules)
{
	struct probed at[PAIRS];
	uint32_t n = choose_pairs(m, p->sets, rules, NULL, at);
	double differ[PAIRS], g = 0;
	size_t pairs = 0;

	measure_in_turns(m, rules, at, n);
	for (uint32_t k = 0; k < n; k++) {
		differ[pairs] = fabs(at[k].alone[0] - at[k].alone[1]);
		pairs += !isnan(differ[pairs]);
	}
	/* the quartile: a load that comes and goes makes half of the differences large */
	if (pairs)
		g = NOISES * select_double(differ, pairs, pairs / 4) / QUARTILE / sqrt(2);
	g = fmax(g, SLOWED_LEAST);
	if (!p->of)
		p->of = scratch_take(rules->room, m->n, sizeof(*p->of));
	for (uint32_t k = 0; k < n; k++) {
		bool slowed = gain_of(at[k].alone, at[k].together) > g;

		p->of[at[k].i] += slowed;
		p->of[at[k].j] += slowed;
		p->slowed += slowed;
		/* hosts with a load of their own are slow alone as often as together */
		p->reverse += gain_of(at[k].together, at[k].alone) > g;
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
	double gain[PAIRS * TURNS];
	size_t pairs = 0;

	measure_in_turns(m, rules, at, n);
	for (uint32_t k = 0; k < n * TURNS; k++) {
		gain[pairs] = at[k / TURNS].alone[k % TURNS] - at[k / TURNS].together[k % TURNS];
		pairs += !isnan(gain[pairs]);
	}
	return select_median(gain, pairs);
}

/*
 * Number of slowed pairs, less those that one unsteady host explains, and less those that hosts
 * with a load of their own explain.
 */
static uint32_t count_slowed(const struct probing *p)
{
	uint32_t others = p->one_host + p->reverse;

	return p->slowed > others ? p->slowed - others : 0;
}

bool probe_is_shared(const struct probing *p, bool varies)
{
	uint32_t slowed = count_slowed(p);

	if (varies)
		return 16 * slowed >= 3 * p->tried;
	/*
	 * links are shared if half of the pairs of one set, or 5 of 16 pairs of two sets, were
	 * slowed
	 */
	return p->sets == 1 ? 2 * slowed >= p->tried : 16 * slowed >= 5 * p->tried;
}

bool probe_needs_more(const struct probing *p, bool verdict)
{
	return p->sets < SETS && !probe_is_shared(p, false) && (verdict || p->slowed > 1);
}
