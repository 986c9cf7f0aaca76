/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/plot/heat/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"

/* What is drawn if no column is asked for. */
static const char *const usual[HEAT_MAPS] = { "bandwidth_Bps", "half_rtt_s" };

static bool is_map(const struct plot_run *run)
{
	return !strcmp(document_command(run->doc), "map");
}

bool heat_suits(const struct picture *pic, const char *x)
{
	for (size_t i = 0; i < pic->nruns; i++)
		if (is_map(&pic->runs[i]))
			return !x && pic->kind == KIND_POINTS;
	return false;
}

/* ---- hosts ---- */

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* The hosts of the rows that are drawn, each once, n2 before n10. */
static int list_hosts(struct heat *h, const struct picture *pic)
{
	const struct plot_run *run = &pic->runs[0];
	json_t *row, *number, *numbers = h->numbers = json_object();
	const char *name;
	size_t i;

	json_array_foreach(document_rows(run->doc), i, row) {
		if (!plot_takes(pic, run, row))
			continue;
		json_object_set_new(numbers, row_text(row, COL_SENDER_HOST), json_null());
		json_object_set_new(numbers, row_text(row, COL_RECEIVER_HOST), json_null());
	}
	json_object_del(numbers, "");
	h->names = calloc(json_object_size(numbers) + 1, sizeof(*h->names));
	if (!h->names)
		return error_report("no memory for the hosts of a map");
	json_object_foreach(numbers, name, number)
		h->names[h->n++] = name;
	qsort(h->names, h->n, sizeof(*h->names), by_name);
	for (i = 0; i < h->n; i++)
		json_object_set_new(numbers, h->names[i], json_integer((json_int_t)i));
	return ST_OK;
}

/* ---- columns ---- */

static bool has_numbers(const json_t *doc, const char *column)
{
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(doc), i, row)
		if (isfinite(result_number(row, column)))
			return true;
	return false;
}

static int add_map(struct heat *h, const struct picture *pic, const char *column)
{
	const json_t *about = result_column(pic->runs[0].doc, column);
	struct heat_map *m = &h->map[h->nmaps++];
	size_t n = h->n * h->n;

	*m = (struct heat_map){ .column = column, .scale = pic->y };
	m->scale.column = column;
	m->scale.unit = result_text(about, "unit");
	m->scale.whole = !strcmp(result_text(about, "type"), "integer");
	m->low_is_slow = strcmp(m->scale.unit, "s") != 0;
	m->scale.factor = rate_factor(pic->rates, &m->scale.unit);
	m->y = malloc((n + 1) * sizeof(*m->y));
	for (size_t i = 0; i < n && m->y; i++)
		m->y[i] = NAN;
	if (!m->y)
		return error_report("no memory for a map of %zu hosts", h->n);
	return plot_choose_range(&m->scale, "y-range", pic->y_range);
}

static int choose_maps(struct heat *h, const struct picture *pic, const char *column)
{
	const struct plot_run *run = &pic->runs[0];
	const char *type = column ? result_text(result_column(run->doc, column), "type") : "";
	size_t n = 0;
	int err = ST_OK;

	if (column)
		return *type && strcmp(type, "text") != 0 ? add_map(h, pic, column)
							  : plot_no_column(run, column);
	for (size_t i = 0; i < HEAT_MAPS; i++)
		n += has_numbers(run->doc, usual[i]);
	if (n > 1 && pic->y_range)
		return error_usage("'--y-range' is of one quantity: choose it with '--column'");
	for (size_t i = 0; i < HEAT_MAPS && !err; i++)
		if (has_numbers(run->doc, usual[i]))
			err = add_map(h, pic, usual[i]);
	return err;
}

/* ---- pairs ---- */

/* A note says that a pair failed, unless it only says that it was not measured. */
static bool is_failure(const json_t *row)
{
	const char *note = row_text(row, COL_NOTE);

	return *note && strcmp(note, "not measured") != 0;
}

static void take_row(struct heat *h, const json_t *row, size_t at)
{
	for (size_t i = 0; i < h->nmaps; i++) {
		struct heat_map *m = &h->map[i];
		double value = result_number(row, m->column) * m->scale.factor;

		if (!isfinite(value))
			continue;
		m->nvalues += isnan(m->y[at]);
		m->y[at] = (float)value;
	}
	h->failed[at] = is_failure(row);
}

static int take_rows(struct heat *h, const struct picture *pic)
{
	const json_t *numbers = h->numbers;
	const struct plot_run *run = &pic->runs[0];
	json_t *row;
	size_t i;

	h->failed = calloc(h->n * h->n + 1, sizeof(*h->failed));
	if (!h->failed)
		return error_report("no memory for a map of %zu hosts", h->n);
	json_array_foreach(document_rows(run->doc), i, row) {
		const json_t *from = json_object_get(numbers, row_text(row, COL_SENDER_HOST));
		const json_t *to = json_object_get(numbers, row_text(row, COL_RECEIVER_HOST));

		if (from && to && from != to && plot_takes(pic, run, row))
			take_row(h, row, (size_t)json_integer_value(from) * h->n +
					 (size_t)json_integer_value(to));
	}
	return ST_OK;
}

/* ST_USAGE if there is nothing to draw (reported). */
static int check(const struct heat *h, const struct picture *pic)
{
	const struct plot_run *run = &pic->runs[0];
	size_t n = 0;

	for (size_t i = 0; i < h->nmaps; i++)
		n += h->map[i].nvalues;
	if (*run->why)
		return error_usage("nothing to draw of '%s': %s", run->path, run->why);
	if (!n)
		return error_usage("nothing to draw of '%s': no pair of hosts has a value",
				   run->path);
	return ST_OK;
}

int heat_make(struct picture *pic, const char *column)
{
	struct heat *h = pic->heat = calloc(1, sizeof(*h));
	int err = h ? ST_OK : error_report("no memory for a map");

	if (!err && pic->nfiles > 1)
		err = error_usage("a heat map is of one result; '--x' draws several in one plot, "
				  "and netbench compare says how they differ");
	if (!err && pic->x_range)
		err = error_usage("a heat map has no axis of x: '--x-range'");
	err = err ? err : list_hosts(h, pic);
	err = err ? err : choose_maps(h, pic, column);
	err = err ? err : take_rows(h, pic);
	err = err ? err : check(h, pic);
	err = err ? err : heat_sort(h, pic->order);
	err = err ? err : heat_label(h);
	return err;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->nmaps; i++) {
		free(h->map[i].y);
		free(h->map[i].cell);
	}
	for (size_t i = 0; i < h->n && h->labels; i++)
		free(h->labels[i]);
	free(h->labels);
	json_decref(h->numbers);
	free(h->failed);
	free(h->names);
	free(h);
}
