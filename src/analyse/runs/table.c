/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/match.h"
#include "base/error.h"
#include "base/values.h"
#include "result/document.h"

#define SCORE "b_eff_Bps" /* a member of the summary */

/* ln of the cost in a row; NaN if the row has no value or wrong content. */
static double log_cost(const json_t *row, const struct measure *m)
{
	double v = row ? row_number(row, m->id) : NAN;

	if (!(v > 0) || !isfinite(v) || row_number(row, COL_ERRORS) > 0)
		return NAN;
	return m->rate ? -log(v) : log(v);
}

/* ln of the cost of b_eff, which is a rate. */
static double log_score_cost(const json_t *doc)
{
	double v = result_number(document_summary(doc), SCORE);

	return v > 0 && isfinite(v) ? -log(v) : NAN;
}

/* Sets the values of result r, which is A or B (`side`) of the k-th struct two. */
static void fill_result(struct run_table *t, size_t r, json_t *doc, size_t k, int side)
{
	size_t rows = t->points - t->pairs.score;

	t->doc[r] = doc;
	t->side[r] = side;
	for (size_t p = 0; p < rows; p++)
		t->y[p * t->results + r] =
			log_cost(row_of_point(&t->pairs, p, k, side), &t->measure);
	if (t->pairs.score)
		t->y[rows * t->results + r] = log_score_cost(doc);
}

/* Adds b_eff as the final point if the measure is a bandwidth. */
static void add_score(struct row_pairs *p, const struct two *two, const struct measure *m)
{
	if (strcmp(compared_units[m->unit], "B/s") != 0 || isnan(log_score_cost(two->doc[A])) ||
	    isnan(log_score_cost(two->doc[B])))
		return;
	p->pair[p->n++] = (struct row_pair){ .two = two,
					     .row = { document_summary(two->doc[A]),
						      document_summary(two->doc[B]) } };
	p->score = true;
}

int run_table_make(struct run_table *t, const struct compared *all, const char *measure)
{
	size_t k = 0, r = 0;
	int err = check_comparable(all);

	*t = (struct run_table){ .points = 0 };
	if (!err)
		err = measure_choose(all, measure, false, &t->measure);
	if (err)
		return err;
	points_match(all, &t->pairs);
	add_score(&t->pairs, all->two, &t->measure);
	for (const struct two *two = all->two; two; two = two->next)
		t->results += (two->doc[A] != NULL) + (two->doc[B] != NULL);
	t->points = t->pairs.n;
	t->y = memory_new(t->points * t->results, sizeof(*t->y));
	t->doc = memory_new(t->results, sizeof(*t->doc));
	t->side = memory_new(t->results, sizeof(*t->side));
	for (const struct two *two = all->two; two; two = two->next, k++)
		for (int side = A; side <= B; side++)
			if (two->doc[side])
				fill_result(t, r++, two->doc[side], k, side);
	return ST_OK;
}

int run_table_from_list(struct run_table *t, const struct run_result *results, size_t n,
		 const char *measure)
{
	size_t twos = (n + 1) / 2;
	struct two *two = memory_new(twos, sizeof(*two));
	const struct compared all = { two, 1, IN_TURNS };
	int err;

	*t = (struct run_table){ .points = 0 };
	for (size_t i = 0; i < n || i < 2; i++) {
		const struct run_result *from = &results[i < n ? i : 0];

		two[i / 2].path[i % 2] = from->name;
		two[i / 2].doc[i % 2] = from->doc;
		two[i / 2].next = i / 2 + 1 < twos ? &two[i / 2 + 1] : NULL;
	}
	err = run_table_make(t, &all, measure);
	t->twos = two;
	return err;
}

void run_table_free(struct run_table *t)
{
	points_free(&t->pairs);
	free(t->twos);
	free(t->y);
	free(t->doc);
	free(t->side);
	*t = (struct run_table){ .points = 0 };
}

double run_table_value(const struct run_table *t, double y)
{
	return exp(t->measure.rate ? -y : y);
}

char *run_table_name(const struct run_table *t, size_t point, char *buf, size_t len)
{
	return point_name(&t->pairs, &t->pairs.pair[point], buf, len);
}
