/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/compare/together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/pair.h"
#include "analyse/runs/groups.h"
#include "analyse/runs/paired.h"
#include "base/sort.h"
#include "base/values.h"
#include "result/document.h"

#define LEVEL 0.05
#define FEWEST_TOGETHER 8	/* fewest runs in total, of both groups */

/*
 * Copies the logarithms of the costs of A or of B (`side`) at a point, without NaN. Returns their
 * number.
 */
static size_t copy_costs(const struct run_table *t, size_t point, int side, double *out)
{
	size_t n = 0;

	for (size_t r = 0; r < t->results; r++)
		if (t->side[r] == side && !isnan(t->y[point * t->results + r]))
			out[n++] = t->y[point * t->results + r];
	return n;
}

/*
 * Sets the pair's two values to the medians over the runs of A and of B. Leaves the table unsorted.
 */
static void set_median_values(const struct run_table *t, size_t point, double *room)
{
	for (int side = A; side <= B; side++) {
		size_t n = copy_costs(t, point, side, room);

		t->pairs.pair[point].value[side] = n ? run_table_value(t, median(room, n)) : NAN;
	}
}

/*
 * Sets the pair's ratio and interval from a ratio of costs and its interval. For rates these are
 * reciprocals.
 */
static void set_ratio(const struct run_table *t, struct row_pair *pair, double cost, double lo,
		      double hi)
{
	bool rate = t->measure.rate;

	pair->slower = cost;
	pair->ratio = rate ? 1 / cost : cost;
	pair->interval = rate ? (struct interval){ 1 / hi, 1 / lo } : (struct interval){ lo, hi };
}

/* ---- blocks ---- */

/*
 * Decides by (R7), for each point, whether the limit of outcome o of --fail-if is passed. For
 * FASTER, negates the differences first.
 */
static void judge_blocks_by_limit(struct run_table *t, const struct fail_if *fail, enum outcome o,
				  struct run_blocks b, double *room)
{
	struct paired_point *at = memory_new(b.points, sizeof(*at));
	double margin = fail->factor[o] - 1;

	for (size_t i = 0; i < b.points * b.blocks; i++)
		room[i] = o == FASTER ? -b.d[i] : b.d[i];
	b.d = room;
	paired_judge(&b, margin, LEVEL, at);
	for (size_t p = 0; p < b.points; p++) {
		struct row_pair *pair = &t->pairs.pair[p];

		if (b.blocks < FEWEST_BLOCKS || isnan(at[p].upper))
			continue;
		pair->limit[o] = at[p].p_worse <= LEVEL / 2 ? VERDICT_YES
				 : at[p].upper < 1 + margin ? VERDICT_NO
							    : VERDICT_CANNOT_TELL;
		if (pair->limit[o] == VERDICT_CANNOT_TELL)
			pair->lack = LACK_WIDE;
		/* a point past the limit also has this outcome */
		else if (pair->limit[o] == VERDICT_YES)
			pair->outcome = o;
	}
	free(at);
}

/* Sets the members of a point's pair. `d` contains the differences of the point in all blocks. */
static void set_block_point(struct run_table *t, size_t point, const double *d, size_t blocks,
			    double *room, const struct paired_point *at)
{
	struct row_pair *pair = &t->pairs.pair[point];
	size_t whole = 0;

	for (size_t i = 0; i < blocks; i++)
		whole += !isnan(d[i]);
	set_median_values(t, point, room);
	if (!isnan(at->ratio))
		set_ratio(t, pair, at->ratio, at->lo, at->hi);
	if (!pair->row[A] || !pair->row[B]) {
		pair_lacks(pair, LACK_NOTHING, A, "only in %c", "AB"[!pair->row[A]]);
		return;
	}
	if (isnan(at->lo)) {
		pair_lacks(pair, LACK_TURNS, A, "no interval: %zu pair%s, of %d that are needed",
			   whole, whole == 1 ? "" : "s", FEWEST_BLOCKS);
		return;
	}
	if (whole < blocks)
		pair_lacks(pair, LACK_NOTHING, A, "%zu of %zu pairs", whole, blocks);
	pair->method = METHOD_BLOCKS;
	pair->p_value = at->p;
	pair->outcome = at->p > LEVEL ? NO_DIFFERENCE : at->effect > 0 ? SLOWER : FASTER;
}

void points_judge_blocks(struct run_table *t, const struct fail_if *fail)
{
	size_t n = t->results / 2, points = t->pairs.n;
	double *d = memory_new(2 * points * n + t->results, sizeof(*d));
	struct paired_point *at = memory_new(points, sizeof(*at));
	double *turned = d + points * n, *room = turned + points * n;
	struct run_blocks b = { points, n, d };

	for (size_t p = 0; p < points; p++)
		for (size_t i = 0; i < n; i++) {
			const double *y = t->y + p * t->results + 2 * i;

			d[p * n + i] = y[B] - y[A];
		}
	paired_judge(&b, 0, LEVEL, at);
	for (size_t p = 0; p < points; p++) {
		pair_clear(&t->pairs.pair[p]);
		set_block_point(t, p, d + p * n, n, room, &at[p]);
	}
	for (enum outcome o = FASTER; o <= SLOWER; o++)
		if (!isnan(fail->factor[o]))
			judge_blocks_by_limit(t, fail, o, b, turned);
	for (size_t p = 0; p < points; p++)
		pair_set_untold(fail, &t->pairs.pair[p]);
	free(d);
	free(at);
}

/* ---- groups ---- */

/*
 * True if one group was measured entirely before the other. In that case the groups may differ
 * because of the time of measurement, not because of the command. False for computed results, which
 * do not depend on the time.
 */
static bool measured_apart(const struct run_table *t)
{
	const char *first[2] = { NULL, NULL }, *last[2] = { NULL, NULL };
	bool computed = true;

	for (size_t r = 0; r < t->results; r++) {
		const char *start = result_text(t->doc[r], "environment.time.start");
		int side = t->side[r];

		computed &= result_is_computed(t->doc[r]);
		if (!first[side] || strcmp(start, first[side]) < 0)
			first[side] = start;
		if (!last[side] || strcmp(start, last[side]) > 0)
			last[side] = start;
	}
	return !computed &&
	       (strcmp(last[A], first[B]) <= 0 || strcmp(last[B], first[A]) <= 0);
}

/*
 * Collects the points that all runs have, in the form that groups_judge() takes. Sets index[i] to
 * the number, in the table, of the i-th point collected.
 */
static struct run_groups collect_common_points(const struct run_table *t, double *a, double *b,
					       size_t *index)
{
	struct run_groups g = { .a = a, .b = b };

	for (size_t r = 0; r < t->results; r++)
		*(t->side[r] == A ? &g.na : &g.nb) += 1;
	for (size_t p = 0; p < t->pairs.n; p++) {
		if (copy_costs(t, p, A, a + g.points * g.na) < g.na ||
		    copy_costs(t, p, B, b + g.points * g.nb) < g.nb)
			continue;
		index[g.points++] = p;
	}
	return g;
}

/*
 * Sets the members of a point's pair. `apart` is true if one group was measured entirely before the
 * other.
 */
static void set_group_point(struct run_table *t, struct row_pair *pair, const struct group_shift *s,
			    size_t runs, bool apart)
{
	set_ratio(t, pair, s->ratio, s->lo, s->hi);
	pair->p_value = s->p;
	if (isnan(s->lo) || runs < FEWEST_TOGETHER) {
		pair_lacks(pair, LACK_TURNS, A, "too few runs: 4 of each are needed");
		return;
	}
	pair->method = METHOD_GROUPS;
	if (apart)
		pair_lacks(pair, LACK_APART, A, "one group was measured before the other");
	else
		pair->outcome = s->p > LEVEL ? NO_DIFFERENCE : pair->slower > 1 ? SLOWER : FASTER;
}

void points_judge_groups(struct run_table *t, const struct fail_if *fail)
{
	size_t points = t->pairs.n, room = points * t->results + t->results + 1;
	double *a = memory_new(2 * room, sizeof(*a));
	struct group_shift *shift = memory_new(points, sizeof(*shift));
	size_t *index = memory_new(points, sizeof(*index));
	struct run_groups g;
	bool apart = measured_apart(t);

	for (size_t p = 0; p < points; p++) {
		pair_clear(&t->pairs.pair[p]);
		set_median_values(t, p, a);
		pair_lacks(&t->pairs.pair[p], LACK_VALUE, A, "not in all results");
	}
	g = collect_common_points(t, a, a + room, index);
	groups_judge(&g, shift);
	for (size_t i = 0; i < g.points; i++) {
		struct row_pair *pair = &t->pairs.pair[index[i]];

		pair->lack = LACK_NOTHING;
		pair->remark[0] = '\0';
		set_group_point(t, pair, &shift[i], g.na + g.nb, apart);
		if (pair->outcome)
			pair_judge_limits(fail, &t->measure, pair);
	}
	for (size_t p = 0; p < points; p++)
		pair_set_untold(fail, &t->pairs.pair[p]);
	free(a);
	free(shift);
	free(index);
}
