/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/judge/thin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"

#define TOP 0.95 /* quantile of all values that counts as the top: the value of a pair alone */
/* use_fast_visits(): a pair whose value is at most this far below the top has shared no link */
#define NEAR 0.15
/* reopen_pairs(): pairs that are below their level by more than this are measured again */
#define SHORT 0.15
#define ROUNDS 4 /* largest number of rounds, as a multiple of the rounds of all visits */
#define VALUES_LEAST 12 /* two leaves get a level of their own from this number of values on */
#define COUNTS 3 /* largest number of meetings of a pair; their median is its value */
/*
 * visits_show_sharing(): smallest share of values between leaves that are below the best visit of
 * their pair by SHORT, absolute and relative to that share within leaves
 */
#define SHARING_LEAST 0.12
#define SHARING_TIMES 3
/*
 * a host with this number of short pairs, and this share of its pairs, may be unsteady: all of its
 * pairs are measured anew
 */
#define SHORT_PAIRS 4
#define SHORT_SHARE 0.125

/* A pair that is still to be measured. */
struct to_meet {
	uint32_t i, j;
	bool early;		/* true: the pair is measured before the others */
	double best;		/* best value of its slower direction in any visit */
};

struct thinning {
	const struct matrix *m;
	const struct leaves *leaves;
	const struct rules *rules;
	struct to_meet *open;	/* pairs still to be measured */
	size_t n;
	/*
	 * busy[host]: true if the host meets in this round; leaving[leaf]: true if a meeting of
	 * this round leaves the leaf
	 */
	bool *busy, *leaving;
	struct encounter *at;
	/* [host]: number of its short pairs; true if all of its pairs are measured anew */
	uint32_t *few;
	bool *anew;
	/* values of COUNTS visits; the second and third visit have few values */
	struct matrix to;
	uint32_t rounds;
};

/* ---- levels ---- */

/*
 * Copies the values of all pairs of a host of leaf a and a host of leaf b, in both directions and
 * all visits. Returns their number.
 */
static size_t copy_values(const struct matrix *m, const struct leaves *l, uint32_t a, uint32_t b,
			  double *to)
{
	size_t n = 0;

	for (uint32_t p = l->first[a]; p < l->first[a + 1]; p++) {
		for (uint32_t q = l->first[b]; q < l->first[b + 1]; q++) {
			for (uint32_t v = 0; v < m->nvisits && p != q; v++) {
				to[n] = m->y[matrix_at(m, v, l->order[p], l->order[q])];
				n += !isnan(to[n]);
				to[n] = m->y[matrix_at(m, v, l->order[q], l->order[p])];
				n += !isnan(to[n]) && a != b;
			}
		}
	}
	return n;
}

/* Allocates the levels. Hosts have their numbers in the study. */
static struct leaf_levels make_levels(const struct matrix *m, const struct leaves *l,
				 struct scratch *room)
{
	struct leaf_levels to = { .n = l->n + 1 };
	uint32_t *leaf, most = 0;

	for (uint32_t i = 0; i < m->n; i++)
		most = matrix_host(m, i) > most ? matrix_host(m, i) : most;
	leaf = scratch_take(room, most + 1, sizeof(*leaf));
	for (uint32_t i = 0; i < m->n; i++)
		leaf[matrix_host(m, i)] = l->of[i];
	to.leaf = leaf;
	to.of = scratch_take(room, (size_t)to.n * to.n, sizeof(*to.of));
	return to;
}

void set_leaf_levels(struct thin *t, const struct matrix *m, const struct leaves *leaves,
		     const struct rules *rules)
{
	struct scratch *room = rules->room;
	uint32_t n = leaves->n + 1;
	size_t cells = (size_t)m->nvisits * m->n * m->n, all[2] = { 0 }, values;
	double *work, *like[2], usual[2];

	t->levels = make_levels(m, leaves, room);
	work = scratch_take(room, cells + 1, sizeof(*work));
	for (int k = 0; k < 2; k++)
		like[k] = scratch_take(room, cells + 1, sizeof(**like));
	for (size_t at = 0; at < cells; at++) {
		bool within = leaves_within(leaves, (uint32_t)(at / m->n % m->n),
					    (uint32_t)(at % m->n));

		if (!isnan(m->y[at]))
			like[within][all[within]++] = m->y[at];
	}
	memcpy(work, like[0], all[0] * sizeof(*work));
	memcpy(work + all[0], like[1], all[1] * sizeof(*work));
	t->usual = select_median(work, all[0] + all[1]);
	for (int k = 0; k < 2; k++)
		usual[k] = all[k] ? select_median(like[k], all[k]) : t->usual;
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b <= a; b++) {
			bool within = a == b && a < leaves->n;

			/* a host without a leaf may have a fault, so its values give no level */
			values = a < leaves->n ? copy_values(m, leaves, a, b, work) : 0;
			t->levels.of[a * n + b] =
				(values >= VALUES_LEAST ? select_median(work, values)
							: usual[within]) - t->usual;
			t->levels.of[b * n + a] = t->levels.of[a * n + b];
		}
	}
}

void subtract_leaf_levels(const struct leaf_levels *levels, struct matrix *m)
{
	for (size_t at = 0; at < (size_t)m->nvisits * m->n * m->n; at++)
		m->y[at] -= (float)leaf_level(levels, matrix_host(m, (uint32_t)(at / m->n % m->n)),
					     matrix_host(m, (uint32_t)(at % m->n)));
}

/* ---- rounds ---- */

/* Moves open pairs that share no link to the next round. Returns their number. */
static size_t choose_round(struct thinning *t)
{
	const struct leaves *l = t->leaves;
	size_t n = 0, left = 0;

	memset(t->busy, 0, t->m->n * sizeof(*t->busy));
	memset(t->leaving, 0, (l->n + 1) * sizeof(*t->leaving));
	for (size_t k = 0; k < t->n; k++) {
		struct to_meet p = t->open[k];
		bool within = leaves_within(l, p.i, p.j);

		if (t->busy[p.i] || t->busy[p.j] ||
		    (!within && (t->leaving[l->of[p.i]] || t->leaving[l->of[p.j]]))) {
			t->open[left++] = p;
			continue;
		}
		t->busy[p.i] = t->busy[p.j] = true;
		t->leaving[l->of[p.i]] |= !within;
		t->leaving[l->of[p.j]] |= !within;
		t->at[n++] = (struct encounter){ p.i, p.j, NAN, NAN };
	}
	t->n = left;
	return n;
}

/* Measures all listed pairs, in at most `most` rounds, and stores the values in visit v. */
static void measure_open_pairs(struct thinning *t, uint32_t v, uint32_t most)
{
	for (t->rounds = 0; t->n && t->rounds < most; t->rounds++) {
		size_t n = choose_round(t);

		ask_round(t->rules, t->m, t->at, n);
		for (size_t k = 0; k < n; k++) {
			const struct encounter *at = &t->at[k];

			t->to.y[matrix_at(&t->to, v, at->i, at->j)] = at->ij;
			t->to.y[matrix_at(&t->to, v, at->j, at->i)] = at->ji;
		}
	}
}

/* ---- which pairs meet ---- */

/* Quantile TOP of all values. */
static double top_quantile(const struct matrix *m, struct scratch *room)
{
	struct scratch_piece *mark = room->last;
	size_t cells = matrix_at(m, m->nvisits, 0, 0), n = 0;
	double *y = scratch_take(room, cells + 1, sizeof(*y)), top;

	for (size_t at = 0; at < cells; at++) {
		y[n] = m->y[at];
		n += !isnan(y[n]);
	}
	top = n ? select_double(y, n, (size_t)(TOP * (double)(n - 1))) : NAN;
	scratch_free(room, mark);
	return top;
}

/*
 * If a pair was near the top in both directions of some visit, sets its value to the mean of such
 * visits and returns true. Sets *best in any case.
 */
static bool use_fast_visits(struct thinning *t, uint32_t i, uint32_t j, double top, double *best)
{
	const struct matrix *m = t->m;
	double ij = 0, ji = 0;
	uint32_t n = 0;

	*best = -INFINITY;
	for (uint32_t v = 0; v < m->nvisits; v++) {
		double a = m->y[matrix_at(m, v, i, j)], b = m->y[matrix_at(m, v, j, i)];

		if (isnan(a) || isnan(b))
			continue;
		*best = fmax(*best, fmin(a, b));
		if (fmin(a, b) < top - NEAR)
			continue;
		ij += a;
		ji += b;
		n++;
	}
	if (!n)
		return false;
	t->to.y[matrix_at(&t->to, 0, i, j)] = (float)(ij / n);
	t->to.y[matrix_at(&t->to, 0, j, i)] = (float)(ji / n);
	return true;
}

static int compare_order(const void *a, const void *b)
{
	const struct to_meet *x = a, *y = b;

	if (x->early != y->early)
		return x->early ? -1 : 1;
	return order_doubles(x->best, y->best);	/* the pairs that were never fast come first */
}

/*
 * Lists the pairs that were never near the top, which must be measured. Pairs within leaves, and
 * some pairs of each host, come first.
 */
static void list_open_pairs(struct thinning *t)
{
	const struct matrix *m = t->m;
	double top = top_quantile(m, t->rules->room);
	uint32_t *place = scratch_take(t->rules->room, m->n, sizeof(*place));
	struct rng rng;

	rng_seed(&rng, t->rules->seed + 2);
	rng_permutation(&rng, place, m->n);
	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = i + 1; j < m->n; j++) {
			uint32_t d = (place[i] + m->n - place[j]) % m->n;
			struct to_meet p = { .i = i, .j = j };

			p.early = leaves_within(t->leaves, i, j) || d == 1 || d == m->n - 1 ||
				  d == m->n / 2;
			if (!use_fast_visits(t, i, j, top, &p.best))
				t->open[t->n++] = p;
		}
	}
	if (t->n)
		qsort(t->open, t->n, sizeof(*t->open), compare_order);
}

/* ---- pairs that fall short of their level ---- */

/* Returns the shortfall of a pair: how far its slower direction is below its level, a logarithm. */
static double shortfall_of(const struct thinning *t, const struct thin *of, uint32_t i, uint32_t j)
{
	double y = fmin(t->to.y[matrix_at(&t->to, 0, i, j)], t->to.y[matrix_at(&t->to, 0, j, i)]);

	return of->usual + leaf_level(&of->levels, matrix_host(t->m, i), matrix_host(t->m, j)) - y;
}

/* Counts the short pairs of each host. */
static void count_short_pairs(struct thinning *t, const struct thin *of)
{
	uint32_t n = t->m->n;

	memset(t->few, 0, n * sizeof(*t->few));
	for (uint32_t at = 0; at < n * n; at++)
		t->few[at / n] += shortfall_of(t, of, at / n, at % n) > SHORT;
}

/* True if a host's pairs may be measured again: at least half of a suspect's pairs are short. */
static bool is_steady(const struct thinning *t, uint32_t host)
{
	return 2 * t->few[host] < t->m->n - 1;
}

/*
 * Lists the pairs that fall short of their level, to measure them again. Leaves out suspects, and
 * hosts whose pairs are measured anew. With `anew` it lists all pairs of the latter instead, and
 * forgets their values: those of earlier visits were the best of several.
 */
static void reopen_pairs(struct thinning *t, const struct thin *of, bool anew)
{
	uint32_t n = t->m->n;

	t->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t j = i + 1; j < n; j++) {
			bool open = t->anew[i] || t->anew[j];

			if (!anew)
				open = !open && shortfall_of(t, of, i, j) > SHORT &&
				       is_steady(t, i) && is_steady(t, j);
			else if (open)
				t->to.y[matrix_at(&t->to, 0, i, j)] =
					t->to.y[matrix_at(&t->to, 0, j, i)] = NAN;
			if (open)
				t->open[t->n++] = (struct to_meet){ .i = i, .j = j };
		}
	}
}

/* ---- the thin visit ---- */

/*
 * Returns the share of the pairs of two leaves that have a value. Without leaves, returns the share
 * of all pairs.
 */
static double share_tested(const struct thinning *t)
{
	double all = 0, tested = 0;

	for (uint32_t i = 0; i < t->m->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (leaves_within(t->leaves, i, j))
				continue;
			all++;
			tested += !isnan(t->to.y[matrix_at(&t->to, 0, i, j)]);
		}
	}
	return tested / all;
}

/* Reduces the visits to one: for each pair the median of its meetings. */
static struct matrix reduce_to_medians(const struct thinning *t, struct scratch *room)
{
	struct matrix m = t->to;
	size_t cells = (size_t)m.n * m.n;

	m.nvisits = 1;
	m.y = scratch_take(room, cells, sizeof(*m.y));
	for (size_t at = 0; at < cells; at++) {
		double y[COUNTS];
		size_t n = 0;

		for (uint32_t v = 0; v < COUNTS; v++) {
			y[n] = t->to.y[v * cells + at];
			n += !isnan(y[n]);
		}
		m.y[at] = (float)select_median(y, n);
	}
	return m;
}

/* Prepares a thin visit without values and without pairs to measure. */
static struct thinning make_thinning(const struct matrix *m, const struct leaves *leaves,
				     const struct rules *rules, size_t pairs)
{
	struct scratch *room = rules->room;
	struct thinning t = { .m = m, .leaves = leaves, .rules = rules };
	struct matrix empty = *m;

	t.open = scratch_take(room, pairs, sizeof(*t.open));
	t.busy = scratch_take(room, m->n, sizeof(*t.busy));
	t.leaving = scratch_take(room, leaves->n + 1, sizeof(*t.leaving));
	t.at = scratch_take(room, m->n, sizeof(*t.at));
	t.few = scratch_take(room, m->n, sizeof(*t.few));
	t.anew = scratch_take(room, m->n, sizeof(*t.anew));
	empty.nvisits = 0;
	empty.round = NULL;
	empty.nrounds = 0;
	t.to = matrix_copy(room, &empty, NULL, m->n, matrix_is_quick(m) ? 1 : COUNTS);
	return t;
}

/* Best visit of a direction of a pair; NaN if it has no value. */
static float best_visit(const struct matrix *m, uint32_t i, uint32_t j)
{
	float best = NAN;

	for (uint32_t v = 0; v < m->nvisits; v++)
		best = fmaxf(best, m->y[matrix_at(m, v, i, j)]);	/* ignores NaN */
	return best;
}

bool visits_show_sharing(const struct matrix *m, const struct leaves *leaves)
{
	size_t all[2] = { 0 }, below[2] = { 0 };	/* [true]: within leaves */

	for (size_t at = 0; at < matrix_at(m, m->nvisits, 0, 0); at++) {
		uint32_t i = (uint32_t)(at / m->n % m->n), j = (uint32_t)(at % m->n);
		bool within = leaves_within(leaves, i, j);

		all[within] += !isnan(m->y[at]);
		below[within] += m->y[at] < best_visit(m, i, j) - SHORT;
	}
	return (double)below[0] >= SHARING_LEAST * (double)all[0] &&
	       (double)below[0] / (double)all[0] >=
		       SHARING_TIMES * (double)below[1] / (double)all[1];
}

struct thin thin_of_visits(const struct matrix *m, const struct leaves *leaves,
			   const struct rules *rules)
{
	struct thinning t = make_thinning(m, leaves, rules, 1);
	struct thin to = { .tested = 0 };
	double top = top_quantile(m, rules->room), best;

	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (use_fast_visits(&t, i, j, top, &best) || !leaves_within(leaves, i, j))
				continue;
			t.to.y[matrix_at(&t.to, 0, i, j)] = best_visit(m, i, j);
			t.to.y[matrix_at(&t.to, 0, j, i)] = best_visit(m, j, i);
		}
	}
	to.tested = share_tested(&t);
	to.m = t.to;
	to.m.nvisits = 1;
	set_leaf_levels(&to, &to.m, leaves, rules);
	subtract_leaf_levels(&to.levels, &to.m);
	return to;
}

struct thin measure_few_pairs(const struct matrix *m, const struct leaves *leaves,
			      const struct rules *rules)
{
	struct thinning t = make_thinning(m, leaves, rules, 2 * (size_t)m->n);
	struct thin to = { .tested = 0 };
	uint32_t *place = scratch_take(rules->room, m->n, sizeof(*place));
	struct rng rng;

	rng_seed(&rng, rules->seed + 2);
	rng_permutation(&rng, place, m->n);
	for (uint32_t k = 0; k < m->n; k++) {
		uint32_t next = place[(k + 1) % m->n], across = place[(k + m->n / 2) % m->n];

		t.open[t.n++] = (struct to_meet){ .i = place[k], .j = next };
		if (k < m->n / 2)
			t.open[t.n++] = (struct to_meet){ .i = place[k], .j = across };
	}
	measure_open_pairs(&t, 0, UINT32_MAX);
	to.tested = share_tested(&t);
	set_leaf_levels(&to, &t.to, leaves, rules);
	to.m = t.to;
	return to;
}

struct thin measure_thin_visit(const struct matrix *m, const struct leaves *leaves,
			       const struct rules *rules)
{
	struct thinning t = make_thinning(m, leaves, rules, (size_t)m->n * m->n);
	struct thin to = { .tested = 1 };

	list_open_pairs(&t);
	measure_open_pairs(&t, 0, ROUNDS * m->nvisits * (m->n - 1));
	to.tested = share_tested(&t);
	set_leaf_levels(&to, &t.to, leaves, rules);
	count_short_pairs(&t, &to);
	for (uint32_t i = 0; i < m->n; i++)
		t.anew[i] = t.few[i] >= SHORT_PAIRS && t.few[i] >= SHORT_SHARE * m->n &&
			    is_steady(&t, i);
	for (uint32_t v = 1; v < COUNTS; v++) {
		reopen_pairs(&t, &to, false);
		measure_open_pairs(&t, v, ROUNDS * m->nvisits * (m->n - 1));
	}
	reopen_pairs(&t, &to, true);
	measure_open_pairs(&t, 0, ROUNDS * m->nvisits * (m->n - 1));
	to.m = reduce_to_medians(&t, rules->room);
	set_leaf_levels(&to, &to.m, leaves, rules);
	subtract_leaf_levels(&to.levels, &to.m);
	return to;
}
