/* SPDX-License-Identifier: Apache-2.0 */
#include "result/store/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/reader.h"

/* ---- columns that describe the whole result ---- */

/* A text, or null if it is empty. Returns a new reference. */
static json_t *text_or_null(const char *text)
{
	json_t *v = *text ? json_string(text) : NULL;

	return v ? v : json_null();
}

/*
 * Returns the cells about the run, with which each row of a result begins. It is a new reference.
 */
static json_t *make_run_cells(const json_t *doc, const char *path)
{
	json_t *ranks = result_at(doc, "environment.nranks"), *run;
	size_t n;
	char *hosts = result_hosts(document_environment(doc), &n);
	const char *kind = result_is_emulated(doc) ? "emulated"
			   : result_is_computed(doc) ? "computed" : "measured";

	run = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:O}",
			"run_id", text_or_null(result_text(doc, "environment.run.id")),
			"run_date", text_or_null(result_text(doc, "environment.time.start")),
			"run_file", text_or_null(path),
			"run_command", text_or_null(document_command(doc)),
			"run_definition", text_or_null(document_definition(doc)),
			"run_kind", kind,
			"run_status", text_or_null(document_status(doc)),
			"run_backend", text_or_null(result_text(doc, "environment.backend.name")),
			"run_host", text_or_null(hosts ? hosts : ""),
			"run_hosts", n ? json_integer((json_int_t)n) : json_null(),
			"run_ranks", json_is_integer(ranks) ? ranks : json_null());
	free(hosts);
	return run;
}

/* ---- the table ---- */

/* Adds a column unless the table has it. */
static void add_column(struct merged *m, const char *name, const char *type)
{
	if (*name && !json_object_get(m->columns, name))
		json_object_set_new(m->columns, name, json_string(type));
}

/* ---- verdicts ---- */

/* Columns of verdicts, as results of map have them. */
static const struct {
	const char *name;
	enum column_type type;
} verdict_columns[] = {
	{ "kind", COL_TEXT }, { "subject", COL_TEXT }, { "quantity", COL_TEXT },
	{ "class", COL_TEXT }, { "effect", COL_REAL }, { "effect_s", COL_REAL },
	{ "lo", COL_REAL }, { "hi", COL_REAL }, { "share", COL_REAL },
	{ "confidence", COL_TEXT }, { "persistence", COL_TEXT }, { "evidence", COL_TEXT },
	{ "text", COL_TEXT },
};

/* ---- files ---- */

/* Opens or rewinds a file, so that its first row is the next one. */
static int open_file(struct merging *all, int i)
{
	struct result_rows *r = &all->kept[i];

	return r->doc ? result_rows_rewind(r) : result_rows_open(r, all->paths[i]);
}

/* A pipe stays open, because it cannot be read again. */
static void close_unless_pipe(struct merging *all, int i)
{
	if (!all->kept[i].from.copied)
		result_rows_close(&all->kept[i]);
}

/*
 * Adds the columns of a result to the tables: first the columns about the run, then the result's
 * own columns.
 */
static void add_columns(struct merged m[NTABLES], const json_t *doc, json_t *run)
{
	const char *name;
	json_t *v;
	size_t i;

	json_object_foreach(run, name, v)
		for (int t = 0; t < NTABLES; t++) {
			bool number = !strcmp(name, "run_ranks") || !strcmp(name, "run_hosts");

			add_column(&m[t], name, column_type_names[number ? COL_UINT : COL_TEXT]);
		}
	for (i = 0; i < LENGTH(verdict_columns); i++)
		add_column(&m[VERDICTS], verdict_columns[i].name,
			   column_type_names[verdict_columns[i].type]);
	json_array_foreach(document_columns(doc), i, v) {
		const char *type = result_text(v, "type");
		const struct column *known = column_find(result_text(v, "name"));

		add_column(&m[ROWS], result_text(v, "name"),
			   known ? column_type_names[known->type] : *type ? type : "text");
	}
}

int merge_add_file(struct merged m[NTABLES], struct merging *all, int i)
{
	struct result_rows *r = &all->kept[i];
	int err = open_file(all, i);
	const json_t *row = NULL;
	json_t *run;

	if (!err) {
		run = make_run_cells(r->doc, all->paths[i]);
		add_columns(m, r->doc, run);
		json_decref(run);
		m[VERDICTS].nrows += json_array_size(result_at(r->doc, "summary.verdicts"));
	}
	while (!err && !(err = result_rows_next(r, &row)) && row)
		m[ROWS].nrows++;
	close_unless_pipe(all, i);
	return err;
}

/* Calls `take` with a row, and then releases the row. */
static int deliver_row(json_t *row, merge_row_fn *take, void *arg)
{
	int err = take(arg, row);

	json_decref(row);
	return err;
}

/* Calls `take` with each row of a result. The rows contain only cells, no samples. */
static int deliver_rows(struct result_rows *r, json_t *run, merge_row_fn *take, void *arg)
{
	const json_t *row;
	json_t *column;
	size_t k;
	int err;

	while (!(err = result_rows_next(r, &row)) && row) {
		json_t *new = memory_or_exit(json_copy(run));

		json_array_foreach(document_columns(r->doc), k, column) {
			const char *name = result_text(column, "name");
			json_t *cell = json_object_get(row, name);

			if (cell && !json_object_get(run, name))
				json_object_set(new, name, cell);
		}
		err = deliver_row(new, take, arg);
		if (err)
			return err;
	}
	return err;
}

/* Calls `take` with a row for each verdict of a result. */
static int deliver_verdicts(struct result_rows *r, json_t *run, merge_row_fn *take, void *arg)
{
	json_t *verdict, *cell;
	size_t i;
	int err = ST_OK;

	json_array_foreach(result_at(r->doc, "summary.verdicts"), i, verdict) {
		json_t *new = memory_or_exit(json_copy(run));

		for (size_t k = 0; k < LENGTH(verdict_columns); k++) {
			const char *name = verdict_columns[k].name;
			char *text;

			cell = json_object_get(verdict, name);
			if (!json_is_array(cell)) {
				json_object_set(new, name, cell);
				continue;
			}
			text = join_list(cell, strcmp(name, "subject") ? "; " : " ");
			json_object_set_new(new, name, text_or_null(text ? text : ""));
			free(text);
		}
		err = deliver_row(new, take, arg);
		if (err)
			break;
	}
	return err;
}

int merge_each_row(const struct merged *m, merge_row_fn *take, void *arg)
{
	int err = ST_OK;

	for (int i = 0; i < m->from->n && !err; i++) {
		struct result_rows *r = &m->from->kept[i];
		json_t *run = NULL;

		err = open_file(m->from, i);
		if (!err && !(run = make_run_cells(r->doc, m->from->paths[i])))
			err = error_report("no memory for '%s'", m->from->paths[i]);
		if (!err)
			err = (m->verdicts ? deliver_verdicts : deliver_rows)(r, run, take, arg);
		json_decref(run);
		close_unless_pipe(m->from, i);
	}
	return err;
}
