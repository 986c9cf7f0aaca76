/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/change/shift.h"

#include <math.h>

#include "base/sort.h"
#include "base/values.h"
#include "result/reader.h"

#define QUANTILE 1.959963984540054	/* the normal distribution's 97.5 % point */

const char *const changed_names[NCHANGED] = { "", "faster", "slower", "no difference seen" };

/* Converts a shift of y to the ratio B/A of values. A lower y is slower. */
static double ratio_from_shift(enum quantity q, double by)
{
	return exp(q != LATENCY ? by : -by);
}

struct ratio_of_two ratios_from_shift(enum quantity q, const struct shift *s)
{
	double lo = ratio_from_shift(q, s->lo), hi = ratio_from_shift(q, s->hi);

	return (struct ratio_of_two){ ratio_from_shift(q, s->by), fmin(lo, hi), fmax(lo, hi) };
}

enum changed shift_outcome(const struct shift *s)
{
	if (isnan(s->by) || isnan(s->lo))
		return CHANGED_UNKNOWN;
	return s->hi < 0 ? CHANGED_SLOWER : s->lo > 0 ? CHANGED_FASTER : CHANGED_NOT;
}

struct shift change_shift_of_pair(const struct change_of *of, double by)
{
	double half = QUANTILE * of->se;

	return (struct shift){ by, by - half, by + half };
}

struct shift change_relative(const struct map_verdict *v, bool faster)
{
	double by = faster ? v->effect : -v->effect;

	return (struct shift){ by, by - 2 * v->se, by + 2 * v->se };
}

struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster)
{
	struct shift s = change_relative(v, faster);
	double y[2], by, back;

	if (!verdict_is_of_pair(v))
		return s;
	by = change_of_pair(c, of, v->cause.a, v->cause.b, y);
	back = v->cause.kind == KIND_PAIR ? change_of_pair(c, of, v->cause.b, v->cause.a, y) : by;
	by = midpoint(by, back);
	return (struct shift){ by, by - 2 * v->se, by + 2 * v->se };
}

bool change_is_counted(const struct change_of *of, uint32_t i, uint32_t j)
{
	return of->quantity != BANDWIDTH ? i < j : i != j;
}

enum changed outcome_of_pair(const struct changes *c, const struct change_of *of, uint32_t i,
				  uint32_t j, double by)
{
	struct shift s = change_shift_of_pair(of, by);
	const struct map_verdict *v = change_cause(of, i, j);
	bool network = fabs(of->network.by) > c->rules.limits.host &&
		       shift_outcome(&of->network) == shift_outcome(&s);

	if (shift_outcome(&s) != CHANGED_SLOWER && shift_outcome(&s) != CHANGED_FASTER)
		return shift_outcome(&s);
	return v || network ? shift_outcome(&s) : of->m.nvisits > 1 ? CHANGED_NOT : CHANGED_UNKNOWN;
}

void count_changes(const struct changes *c, const struct change_of *of, struct totals *t)
{
	double y[2];

	for (uint32_t i = 0; i < c->n; i++) {
		for (uint32_t j = 0; j < c->n; j++) {
			const struct map_verdict *v = change_cause(of, i, j);
			double by;

			if (!change_is_counted(of, i, j))
				continue;
			by = change_of_pair(c, of, i, j, y);
			t->of[outcome_of_pair(c, of, i, j, by)]++;
			t->named += v && verdict_is_of_pair(v);
		}
	}
}

/* ---- verdicts of both results ---- */

/* Returns the verdict in a list that has the same kind, subject, quantity and class; NULL: none. */
static json_t *find_matching_verdict(json_t *list, const json_t *verdict)
{
	static const char *const keys[] = { "kind", "subject", "quantity", "class" };
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		size_t k = 0;

		for (; k < LENGTH(keys); k++) {
			json_t *x = json_object_get(one, keys[k]);
			json_t *y = json_object_get(verdict, keys[k]);

			if (x != y && !(x && y && json_equal(x, y)))
				break;
		}
		if (k == LENGTH(keys))
			return one;
	}
	return NULL;
}

void match_verdicts(json_t *had[NHAD], json_t *const doc[2])
{
	json_t *of[2], *one, *same;
	size_t i;

	for (int side = A; side <= B; side++)
		of[side] = result_at(doc[side], "summary.verdicts");
	for (int k = 0; k < NHAD; k++)
		had[k] = json_array();
	json_array_foreach(of[B], i, one) {
		same = find_matching_verdict(of[A], one);
		if (same)
			json_array_append_new(had[IS_STILL],
					      json_pack("[O, O]", same, one));
		else
			json_array_append(had[IS_NEW], one);
	}
	json_array_foreach(of[A], i, one)
		if (!find_matching_verdict(of[B], one))
			json_array_append(had[IS_GONE], one);
}
