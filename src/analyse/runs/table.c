/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/compare/match.h"
#include "base/error.h"
#include "result/document.h"

#define SCORE "b_eff_Bps" /* of a summary */

/* Results by twos, as --paired takes them; an odd last one stands for its partner, too. */
static int by_twos(struct run_table *t, const struct run_result *results, size_t n)
{
	size_t twos = (n + 1) / 2;

	t->all.two = calloc(twos, sizeof(*t->all.two));
	if (!t->all.two)
		return error_report("no memory for %zu results", n);
	t->all.n = 1;
	for (size_t i = 0; i < 2 * twos; i++) {
		const struct run_result *from = &results[i < n ? i : n - 1];
		struct two *two = &t->all.two[i / 2];

		two->path[i % 2] = from->name;
		two->doc[i % 2] = from->doc;
		two->next = i / 2 + 1 < twos ? two + 1 : NULL;
	}
	return ST_OK;
}

/* ln of the cost in a row, NaN if the row has no value, or wrong content. */
static double cost_of(const json_t *row, const struct measure *m)
{
	double v = row ? row_number(row, m->id) : NAN;

	if (!(v > 0) || !isfinite(v) || row_number(row, COL_ERRORS) > 0)
		return NAN;
	return m->rate ? -log(v) : log(v);
}

/* ln of the cost of b_eff, which is a rate. */
static double score_of(const json_t *doc)
{
	double v = result_number(document_summary(doc), SCORE);

	return v > 0 && isfinite(v) ? -log(v) : NAN;
}

static int fill_values(struct run_table *t)
{
	t->score = !isnan(score_of(t->all.two->doc[A])) && !isnan(score_of(t->all.two->doc[B]));
	t->points = t->pairs.n + t->score;
	t->y = calloc(t->points * t->results + 1, sizeof(*t->y));
	if (!t->y)
		return error_report("no memory for %zu points of %zu results", t->points,
				    t->results);
	for (size_t r = 0; r < t->results; r++) {
		const json_t *doc = t->all.two[r / 2].doc[r % 2];

		for (size_t p = 0; p < t->pairs.n; p++)
			t->y[p * t->results + r] =
				cost_of(points_row(&t->pairs, p, r / 2, (int)(r % 2)), &t->measure);
		if (t->score)
			t->y[t->pairs.n * t->results + r] = score_of(doc);
	}
	return ST_OK;
}

int run_table_make(struct run_table *t, const struct run_result *results, size_t n,
		   const char *measure)
{
	int err;

	*t = (struct run_table){ .results = n };
	err = by_twos(t, results, n);
	if (!err)
		err = compared_check(&t->all);
	if (!err)
		err = measure_choose(&t->all, measure, false, &t->measure);
	if (!err)
		err = points_match(&t->all, &t->pairs);
	return err ? err : fill_values(t);
}

void run_table_free(struct run_table *t)
{
	points_free(&t->pairs);
	free(t->all.two);
	free(t->y);
	*t = (struct run_table){ .points = 0 };
}

double run_table_value(const struct run_table *t, double y)
{
	return exp(t->measure.rate ? -y : y);
}

char *run_table_name(const struct run_table *t, size_t point, char *buf, size_t len)
{
	if (point < t->pairs.n)
		return point_name(&t->pairs, &t->pairs.pair[point], buf, len);
	snprintf(buf, len, "b_eff");
	return buf;
}
