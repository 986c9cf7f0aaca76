/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/form.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config.h"
#include "host/record.h"
#include "options/types.h"

void form_title(struct asked *a, const char *fmt, ...)
{
	int n = snprintf(a->title, sizeof(a->title), "netbench %s model: ", NETBENCH_VERSION);
	va_list args;

	va_start(args, fmt);
	vsnprintf(a->title + n, sizeof(a->title) - (size_t)n, fmt, args);
	va_end(args);
}

int form_sizes(struct asked *a, const uint64_t *usual, size_t n)
{
	const struct model_values *o = a->o;
	struct numbers list = { (uint64_t *)(uintptr_t)usual, n };	/* only read */

	if (settings_exclude(a->st, "sizes", "max-size") ||
	    settings_exclude(a->st, "sizes", "min-size"))
		return ST_USAGE;
	if (o->sizes.n || !usual || settings_given(a->st, "max-size") ||
	    settings_given(a->st, "min-size"))
		list = o->sizes;
	return plan_sizes(&list, o->min_size, o->max_size, &a->plan.sizes);
}

struct value form_count(uint64_t n)
{
	return n ? val_uint(n) : (struct value){ .kind = VAL_NONE };
}

struct value form_text(const char *text)
{
	return text ? val_text(text) : (struct value){ .kind = VAL_NONE };
}

/* Copies columns; with `cycles` of times in seconds the ones in cycles, which follow those. */
static void copy_columns(enum column_id *to, const enum column_id *from, size_t n, bool cycles)
{
	for (size_t i = 0; i < n; i++)
		to[i] = cycles && !strcmp(columns[from[i] + 1].unit, "cycles") ? from[i] + 1
									     : from[i];
}

static int write_rows(struct asked *a)
{
	enum column_id cols[ROW_MAX], spare[ROW_MAX];
	struct opt_table table = { "options", model_options, (void *)(uintptr_t)a->o,
				   NULL };	/* only read */
	struct record *rec = &a->rec, planned;
	struct outlets *r = NULL;
	int err, closed;

	if (!rec->cols) {
		rec->cols = a->form->cols;
		rec->ncols = a->form->ncols;
	}
	planned = *rec;
	copy_columns(cols, rec->cols, rec->ncols, a->cycles);
	copy_columns(spare, a->form->spare, a->form->nspare, a->cycles);
	rec->definition = a->form->definition;
	rec->cols = cols;
	rec->spare = spare;
	rec->nspare = a->form->nspare;
	rec->heads = a->form->heads;
	rec->footer = *a->footer ? a->footer : rec->footer;
	rec->options = opts_dump(&table, 1);
	rec->environment = host_collect();
	json_object_update(rec->environment, a->parameters);
	err = report_open(&r, &a->st->output);
	if (!err)
		err = report_begin(r, rec);
	for (size_t i = 0; i < a->n && !err; i++) {
		struct row row = { 0 };

		a->form->fill(a, i, &planned, &row);
		err = report_row(r, rec, &row);
		json_decref(row.samples);
	}
	if (!err)
		err = report_end(r, rec);
	closed = report_close(r, !err);
	return err ? err : closed;
}

static int answer(struct asked *a)
{
	int err = a->form->plan(a);

	if (!err && a->form->then)
		err = a->form->then(a);
	if (err)
		return err;
	if (!a->form->draw || (a->o->schedule <= SCHEDULE_TABLE && !a->o->picture))
		return write_rows(a);
	if (settings_given(a->st, "format") || settings_given(a->st, "output"))
		return error_usage("a picture goes to standard output: '--format' and '--output' "
				   "are for a table");
	return a->form->draw(a);
}

int form_run(const struct form *form, const struct settings *st)
{
	struct asked a = { .st = st, .o = st->own, .form = form, .parameters = json_object() };
	int err;

	a.rec = (struct record){ .command = "model", .computed = true, .title = a.title,
				 .status = "complete", .summary = json_object(),
				 .warnings = json_array() };
	err = answer(&a);
	json_decref(a.rec.options);
	json_decref(a.rec.environment);
	json_decref(a.rec.summary);
	json_decref(a.rec.warnings);
	json_decref(a.parameters);
	json_decref(a.result);
	free(a.processors.v);
	free(a.rows);
	plan_free(&a.plan);
	tree_free(&a.tree);
	fitted_free(&a.fitted);
	return err;
}
