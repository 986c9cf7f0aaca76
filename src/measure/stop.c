/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/stop.h"

#include <math.h>

#define FIRST_LOOK 20
#define SURE_LOOK 100	/* from here on samples tell whether they depend on one another */

const char *const stop_names[] = {
	[STOP_NOT] = "none",
	[STOP_CI] = "ci",
	[STOP_REPETITIONS] = "repetitions",
	[STOP_POINT_TIME] = "point-time",
	[STOP_TIME_LIMIT] = "time-limit",
	[STOP_DETERMINISTIC] = "deterministic",
	[STOP_SIGNAL] = "signal",
};

bool stop_looks(size_t n)
{
	size_t look = FIRST_LOOK;

	while (look < n)
		look += (look + 3) / 4;
	return look == n;
}

/* Neighbours that are alike make an interval narrow: few samples of which they are do not count. */
static bool is_narrow(const struct stopping *rule, const struct series *x)
{
	struct summary s = summarise(x);

	if (x->n < SURE_LOOK && s.alike > ALIKE)
		return false;
	summary_widen(&s, rule->step_s);
	return (s.hi - s.lo) / 2 <= rule->ci * fabs(s.p50);
}

enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s)
{
	if (rule->deterministic)
		return x->n ? STOP_DETERMINISTIC : STOP_NOT;
	if (x->n < rule->min)
		return STOP_NOT;
	if (rule->ci > 0 && stop_looks(x->n) && is_narrow(rule, x))
		return STOP_CI;
	if (x->n >= rule->max)
		return STOP_REPETITIONS;
	if (rule->point_time_s > 0 && spent_s >= rule->point_time_s)
		return STOP_POINT_TIME;
	return STOP_NOT;
}
