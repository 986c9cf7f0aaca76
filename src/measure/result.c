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

void result_free(struct result *res)
{
	series_free(&res->times);
	series_free(&res->apart);
	free(res->visit_end);
	free(res->tally);
	res->visit_end = NULL;
	res->tally = NULL;
}

bool result_is_interrupted(const struct result *res)
{
	return res->iteration.n &&
	       res->time.p50 > INTERRUPTED * res->iteration.p50 * (double)res->loops;
}

double result_launch_share(const struct result *res, double launch_s)
{
	return launch_s > 0 ? fmin(launch_s / res->time.p50, 1) : 0;
}

double result_best(const struct result *res)
{
	double best = NAN;

	for (size_t i = 0; i < res->times.n && i < BEST_OF; i++)
		best = fmin(best, res->times.s[i]);
	return best;
}
