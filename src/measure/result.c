/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/result.h"

#include <math.h>
#include <stdlib.h>

int result_end_visit(struct result *res)
{
	size_t *end = reallocarray(res->visit_end, res->visits + 1, sizeof(*end));

	if (!end)
		return -1;
	end[res->visits++] = res->times.n;
	res->visit_end = end;
	return 0;
}

void result_drop_visits(struct result *res)
{
	res->times.n = 0;
	res->dropped += res->visits;
	res->visits = 0;
}

void result_free(struct result *res)
{
	series_free(&res->times);
	series_free(&res->apart);
	free(res->visit_end);
	free(res->tally);
	res->visit_end = NULL;
	res->tally = NULL;
}

double result_mean(const struct result *res)
{
	return series_mean(&res->times) / (double)res->loops;
}

double result_stalled_share(const struct result *res)
{
	double median = res->iteration.n ? res->iteration.p50 : res->time.p50 / (double)res->loops;

	return stalled_share(median, result_mean(res));
}

size_t result_best_count(const struct result *res, size_t visit)
{
	size_t n = res->visit_end[visit] - (visit ? res->visit_end[visit - 1] : 0);

	return n < BEST_OF ? n : BEST_OF;
}

double result_visit_best(const struct result *res, size_t visit)
{
	size_t first = visit ? res->visit_end[visit - 1] : 0, n = result_best_count(res, visit);
	double best = NAN;

	for (size_t i = first; i < first + n; i++)
		best = fmin(best, res->times.s[i]);
	return best;
}

double result_launch_share(const struct result *res, double launch_s)
{
	return launch_s > 0 ? fmin(launch_s / res->time.p50, 1) : 0;
}

double result_best(const struct result *res)
{
	struct series best = { 0 };
	double middle = NAN;
	size_t i = 0;

	while (i < res->visits && !series_push(&best, result_visit_best(res, i)))
		i++;
	if (i == res->visits)
		middle = summarise(&best).p50;
	series_free(&best);
	return middle;
}
