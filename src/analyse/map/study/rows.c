/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/rows.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

int rows_find_host(const struct study_rows *r, const char *what, const char *name, size_t number,
		   uint32_t *host)
{
	const struct study *s = r->s;

	/* the host is the same as in the row before */
	if (*host < s->n && !strcmp(s->name[*host], name))
		return ST_OK;
	if (!*name)
		return error_usage("file '%s', %s %zu has no %s", r->path, r->unit, number,
				   what);
	for (const char *c = name; *c; c++)
		if (iscntrl((unsigned char)*c) || *c == ' ')
			return error_usage("file '%s', %s %zu: the name of the %s has a blank or "
					   "control characters", r->path, r->unit, number,
					   what);
	if (study_add_host(r->s, name, host))
		return ST_OK;
	if (s->n == STUDY_HOSTS)
		return error_usage("file '%s', %s %zu: more than %d hosts", r->path, r->unit,
				   number, STUDY_HOSTS);
	return error_report("no memory for all pairs of more than %u hosts", s->n);
}

int rows_add(const struct study_rows *r, const struct measurement *o, size_t number)
{
	const struct study *s = r->s;
	enum put done = o->sender != o->receiver ? study_add(r->s, o) : PUT;

	if (done == PUT_TWICE)
		return error_usage("file '%s', %s %zu: '%s' to '%s' occurs twice in visit %llu",
				   r->path, r->unit, number, s->name[o->sender],
				   s->name[o->receiver],
				   (unsigned long long)s->label[o->visit]);
	if (done)
		return error_report("no memory for all pairs of %u hosts", s->n);
	return ST_OK;
}

int rows_finish(const struct study_rows *r)
{
	struct study *s = r->s;
	int err = s->nvisits ? study_finish(s)
			     : error_usage("file '%s' has no measurements", r->path);

	if (!err && !s->of[BANDWIDTH].n && !s->of[LATENCY].n && !s->of[BIDIRECTIONAL].n)
		err = error_usage("file '%s' has no value of any pair", r->path);
	return err;
}

/* ---- results ---- */

/* The i-th number of a list in `samples`; NaN if it is missing. */
static double list_number(const json_t *samples, const char *name, size_t i)
{
	const json_t *v = json_array_get(json_object_get(samples, name), i);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* Returns v if it is positive and finite, else NaN. */
static double positive_or_nan(double v)
{
	return v > 0 && isfinite(v) ? v : NAN;
}

/* Adds the visits of a row. Visits without labels get the labels 1, 2, 3, ... */
static int add_visits(struct study_rows *r, const json_t *samples, size_t number)
{
	json_t *labels = json_object_get(samples, "visit"), *list = labels;
	struct measurement o = r->last;
	int err = ST_OK;

	for (int q = 0; q < NQUANTITIES && !list; q++)
		list = json_object_get(samples, quantity_names[q].column);
	for (size_t i = 0; i < json_array_size(list) && !err; i++) {
		double visit = labels ? list_number(samples, "visit", i) : (double)(i + 1);
		double round = list_number(samples, "round", i);

		if (!(visit >= 0 && visit <= UINT32_MAX) ||
		    !study_add_visit(r->s, (uint64_t)visit, &o.visit))
			return error_usage("file '%s', row %zu has invalid visit numbers", r->path,
					   number);
		o.round = round >= 0 && round <= STUDY_ROUNDS ? (uint32_t)round : STUDY_NO_ROUND;
		for (int q = 0; q < NQUANTITIES; q++)
			o.value[q] = positive_or_nan(
				list_number(samples, quantity_names[q].column, i));
		err = rows_add(r, &o, number);
	}
	return err;
}

/* Adds a row of a result of map. */
static int add_result_row(struct study_rows *r, const json_t *row, size_t number)
{
	struct measurement *o = &r->last;
	double size = row_number(row, COL_SIZE);
	bool any = false;
	int err = rows_find_host(r, "sender", row_text(row, COL_SENDER_HOST), number, &o->sender);

	if (size > 0 && size < 0x1p53)
		r->s->size_B = (uint64_t)size;
	if (!err)
		err = rows_find_host(r, "receiver", row_text(row, COL_RECEIVER_HOST), number,
				     &o->receiver);
	if (err)
		return err;
	if (row_samples(row))
		return add_visits(r, row_samples(row), number);
	/* a row without visits has only medians over all visits; these count as one visit */
	study_add_visit(r->s, 1, &o->visit);
	o->round = STUDY_NO_ROUND;
	for (int q = 0; q < NQUANTITIES; q++) {
		o->value[q] = positive_or_nan(result_number(row, quantity_names[q].column));
		any |= !isnan(o->value[q]);
	}
	return any ? rows_add(r, o, number) : ST_OK;
}

int rows_add_result(struct study_rows *r, struct result_rows *rows)
{
	const json_t *doc = rows->doc, *row = NULL;
	int err = ST_OK;

	r->unit = "row";
	if (strcmp(document_command(doc), "map") != 0)
		return error_usage("'%s' is not a result of 'netbench map'", r->path);
	do {
		err = result_rows_next(rows, &row);
		err = err || !row ? err : add_result_row(r, row, rows->n);
	} while (!err && row);
	r->s->computed = result_is_computed(doc);
	r->s->emulated = result_is_emulated(doc);
	r->s->shared_cores = json_is_true(result_at(doc, "summary.shared_cores"));
	r->s->environment = json_incref(document_environment(doc));
	r->s->machines = json_incref(result_at(doc, "summary.machines"));
	return err;
}

int rows_read_result(const json_t *doc, const char *path, struct study *s)
{
	struct study_rows r = { .path = path, .s = s };
	struct result_rows rows;
	int err;

	result_rows_from_document(&rows, doc, path);
	err = rows_add_result(&r, &rows);
	result_rows_close(&rows);
	return err ? err : rows_finish(&r);
}
