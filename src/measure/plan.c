/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define FIRST_LOOK 6	/* fewer samples have no 95 % interval of the median */
#define MAX_LOG2 63

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

static bool narrow(const struct series *x, double ci)
{
	struct summary s = summarise(x);

	return (s.hi - s.lo) / 2 <= ci * fabs(s.p50);
}

enum stop stop_now(const struct stopping *rule, const struct series *x, double spent_s)
{
	if (rule->deterministic)
		return x->n ? STOP_DETERMINISTIC : STOP_NOT;
	if (x->n < rule->min)
		return STOP_NOT;
	if (rule->ci > 0 && stop_looks(x->n) && narrow(x, rule->ci))
		return STOP_CI;
	if (x->n >= rule->max)
		return STOP_REPETITIONS;
	if (rule->point_time_s > 0 && spent_s >= rule->point_time_s)
		return STOP_POINT_TIME;
	return STOP_NOT;
}

int plan_sizes(const struct numbers *explicit, uint64_t min_log2, uint64_t max_log2,
	       struct numbers *list)
{
	size_t n = explicit->n;

	*list = (struct numbers){ 0 };
	if (!n && min_log2 > max_log2)
		return error_usage("smallest size 2^%" PRIu64 " is above the largest, 2^%" PRIu64,
				   min_log2, max_log2);
	if (!n && max_log2 > MAX_LOG2)
		return error_usage("largest size 2^%" PRIu64 " is above 2^%d", max_log2, MAX_LOG2);
	if (!n)
		n = max_log2 - min_log2 + 1;
	list->v = reallocarray(NULL, n, sizeof(*list->v));
	if (!list->v)
		return error_report("no memory for %zu sizes", n);
	list->n = n;
	if (explicit->n)
		memcpy(list->v, explicit->v, n * sizeof(*list->v));
	else
		for (size_t i = 0; i < n; i++)
			list->v[i] = UINT64_C(1) << (min_log2 + i);
	return ST_OK;
}

static size_t add_points(struct point *to, const struct numbers *sizes, uint64_t window,
			 uint64_t batch)
{
	for (size_t i = 0; i < sizes->n; i++)
		to[i] = (struct point){ .size = sizes->v[i], .window = (uint32_t)window,
					 .batch = (uint32_t)batch };
	return sizes->n;
}

struct point *plan_points(const struct numbers *sizes, const struct numbers *windows,
			  const struct numbers *batches, size_t *n)
{
	size_t most = sizes->n * windows->n * batches->n;
	struct point *points = calloc(most ? most : 1, sizeof(*points));

	*n = 0;
	if (!points)
		return NULL;
	for (size_t w = 0; w < windows->n; w++)
		for (size_t b = 0; b < batches->n; b++)
			if (batches->v[b] <= windows->v[w])
				*n += add_points(points + *n, sizes, windows->v[w], batches->v[b]);
	return points;
}

/* Channel words of a message on two channels of width w; an empty message counts as one. */
static uint64_t beff_words(uint64_t w, uint64_t size)
{
	uint64_t words = size / (2 * w) + (size % (2 * w) != 0);

	return words ? words : 1;
}

uint64_t plan_beff_loops(uint64_t u, uint64_t l, uint64_t w, uint64_t size)
{
	uint64_t loops = u / beff_words(w, size);

	return loops > l ? loops : l;
}

uint64_t plan_beff_upper(uint64_t loops, uint64_t w, uint64_t size)
{
	return loops * beff_words(w, size);
}

uint64_t plan_loops(double target_s, double loop_s, uint64_t max)
{
	double loops = ceil(target_s / loop_s);

	if (max <= 1 || loops <= 1)
		return 1;
	/* Also where loop_s is 0: too short to be seen. */
	return loops < (double)max ? (uint64_t)loops : max;
}
