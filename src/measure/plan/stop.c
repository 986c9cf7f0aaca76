/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/stop.h"

#include <math.h>

/* a point is first checked at this many samples, if it has enough visits for an interval */
#define FIRST_LOOK 20
#define LEAST_LOOK 3	/* a visit is first checked at this many samples or more */
#define SURE_LOOK 100	/* with fewer samples, dependence may be overlooked */

/*
 * Iterations that a point costs if a repetition has one iteration. USUAL_ITERATIONS covers pilot,
 * warm-up, six repetitions with an iteration before each, and verification. FEWEST_ITERATIONS
 * covers the iterations before a slow point, and six repetitions.
 */
#define USUAL_ITERATIONS 20
#define FEWEST_ITERATIONS 8

size_t stop_first_judged(uint64_t visits)
{
	if (visits < FEWEST_VISITS)	/* fewer samples would give no interval */
		return visits < 2 ? FEWEST_UNVISITED : (FEWEST_UNVISITED - 1) / visits + 1;
	return FIRST_LOOK / visits > LEAST_LOOK ? FIRST_LOOK / visits : LEAST_LOOK;
}

uint64_t stop_visit_share(uint64_t n, uint64_t visit, uint64_t visits)
{
	uint64_t rest = n % visits, share = n / visits + (visit < rest);

	return share ? share : 1;
}

bool stop_judges_at(size_t n, size_t first)
{
	size_t look = first;

	while (look < n)
		look += (look + 3) / 4;
	return look == n;
}

/*
 * Returns whether half the width of the interval is at most what the rule wants. The interval over
 * all visits is estimated from the samples x of one visit.
 */
static bool is_interval_narrow(const struct stopping *rule, const struct series *x)
{
	struct summary s = summarise(x);

	if (rule->visits > 1 && x->n < FEWEST_REPETITIONS) {
		s.method = CI_ORDER;
		s.lo = s.min;
		s.hi = s.max;
	}
	summary_widen(&s, rule->step_s);
	/*
	 * if neighbouring samples are alike, the interval is too narrow; with fewer than SURE_LOOK
	 * samples, such an interval does not count
	 */
	return (x->n >= SURE_LOOK || s.alike <= ALIKE) &&
	       (s.hi - s.lo) / 2 <= rule->ci * fabs(s.p50) * sqrt(fmax(1, (double)rule->visits));
}

enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s)
{
	size_t first = stop_first_judged(rule->visits);

	if (rule->deterministic)
		return x->n ? STOP_DETERMINISTIC : STOP_NOT;
	if (x->n < rule->min)
		return STOP_NOT;
	if (rule->visits > 1 && first < rule->min)
		first = rule->min;
	if (rule->ci > 0 && stop_judges_at(x->n, first) && is_interval_narrow(rule, x))
		return STOP_CI;
	if (x->n >= rule->max)
		return STOP_REPETITIONS;
	if (rule->point_time_s > 0 && spent_s >= rule->point_time_s)
		return STOP_POINT_TIME;
	return STOP_NOT;
}

bool stop_is_slow(const struct stopping *rule, size_t n, double point_s, double repetition_s)
{
	return n && n < rule->min && rule->longest_s > 0 &&
	       point_s + repetition_s > rule->longest_s;
}

double stop_recheck_limit(double longest_s)
{
	return fmax(longest_s / (4 * FEWEST_ITERATIONS), OUTLOOK_SURE_S);
}

struct outlook stop_predict_point(double iteration_s, uint32_t window, uint32_t asked,
				  double longest_s)
{
	double message_s = iteration_s / window, fits_s = longest_s / FEWEST_ITERATIONS;
	bool usual = message_s * asked <= longest_s / USUAL_ITERATIONS;
	uint32_t fits = 1;

	if (!usual && window < asked && iteration_s <= stop_recheck_limit(longest_s))
		return (struct outlook){ .window = 2 * window < asked ? 2 * window : asked };
	if (usual || iteration_s < OUTLOOK_SURE_S)
		return (struct outlook){ .clear = true, .window = asked };
	while (2 * fits <= asked && 2 * fits * message_s <= fits_s)
		fits *= 2;
	if (message_s * asked <= fits_s)
		fits = asked;
	return (struct outlook){ .clear = true, .slow = true, .window = fits };
}

uint64_t stop_loops(double iteration_s, uint64_t least, double longest_s)
{
	double fit = longest_s / FEWEST_ITERATIONS / iteration_s;

	if (!(longest_s > 0))
		return least;
	return fit >= (double)least ? least : fit > 1 ? (uint64_t)fit : 1;
}
