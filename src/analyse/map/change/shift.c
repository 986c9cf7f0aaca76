/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/change/shift.h"

#include <math.h>

#include "base/sort.h"

#define QUANTILE 1.959963984540054	/* the normal distribution's 97.5 % point */

const char *const changed_names[NCHANGED] = { "", "faster", "slower", "no difference seen" };

/* Converts a shift of y to the ratio of values, B/A. A lower y is slower. */
static double ratio_of(enum quantity q, double by)
{
	return exp(q != LATENCY ? by : -by);
}

struct ratio_of_two change_ratios(enum quantity q, const struct shift *s)
{
	double lo = ratio_of(q, s->lo), hi = ratio_of(q, s->hi);

	return (struct ratio_of_two){ ratio_of(q, s->by), fmin(lo, hi), fmax(lo, hi) };
}

enum changed shift_means(const struct shift *s)
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

struct shift change_beside(const struct map_verdict *v, bool faster)
{
	double by = faster ? v->effect : -v->effect;

	return (struct shift){ by, by - 2 * v->se, by + 2 * v->se };
}

struct shift change_shift(const struct changes *c, const struct change_of *of,
			  const struct map_verdict *v, bool faster)
{
	struct shift s = change_beside(v, faster);
	double y[2], by, back;

	if (!change_is_of_pair(v))
		return s;
	by = change_of_pair(c, of, v->cause.a, v->cause.b, y);
	back = v->cause.kind == KIND_PAIR ? change_of_pair(c, of, v->cause.b, v->cause.a, y) : by;
	by = midpoint(by, back);
	return (struct shift){ by, by - 2 * v->se, by + 2 * v->se };
}
