/* SPDX-License-Identifier: Apache-2.0 */
/* Many results as one table: a row for each of their rows, or verdicts. */
#include "cmd/merge/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/out.h"
#include "result/reader.h"
#include "result/rows.h"

enum merge_format { BY_SUFFIX, CSV, LINES, SQLITE };
static const char *const format_words[] = { "auto", "csv", "jsonl", "sqlite", NULL };

/* What is merged: each a table by itself. */
enum { ROWS, VERDICTS, NTABLES };

struct merge_options {
	uint64_t format;
	const char *output;
	bool verdicts, overwrite;
};

/* The files, which are read twice: for the columns, and for the rows. */
struct merging {
	char **paths;
	int n;
	struct result_rows *kept;	/* of each; open if it cannot be opened again */
};

static const struct opt options[] = {
	{ 'f', "format", "format", OPT_CHOICE, offsetof(struct merge_options, format),
	  .def = "auto", .choices = format_words,
	  .help = "by default by the suffix of --output, and CSV on standard output" },
	{ 'o', "output", "file", OPT_TEXT, offsetof(struct merge_options, output),
	  .file = OPT_WRITTEN,
	  .help = "write the table into this file: .csv, .jsonl, .sqlite or .db" },
	{ 0, "verdicts", NULL, OPT_FLAG, offsetof(struct merge_options, verdicts),
	  .help = "the verdicts of maps instead of rows; a database has both" },
	OUT_OVERWRITE_OPTION(offsetof(struct merge_options, overwrite)),
	{ 0 },
};

/* ---- what is known of a whole result ---- */

static json_t *text_or_null(const char *text)
{
	json_t *v = *text ? json_string(text) : NULL;

	return v ? v : json_null();
}

/* The columns in front, which are the same in all rows of a result. New reference. */
static json_t *run_of(const json_t *doc, const char *path)
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

static void add_column(struct merged *m, const char *name, const char *type)
{
	if (*name && !json_object_get(m->columns, name))
		json_object_set_new(m->columns, name, json_string(type));
}

static void add_columns(struct merged *m, const json_t *doc)
{
	json_t *column;
	size_t i;

	json_array_foreach(document_columns(doc), i, column) {
		const char *name = result_text(column, "name"), *type = result_text(column, "type");
		const struct column *known = column_find(name);

		add_column(m, name, known ? column_type_names[known->type] : *type ? type : "text");
	}
}

/* The cells of the columns alone: no samples. New reference; NULL without memory. */
static json_t *row_of(const json_t *doc, json_t *run, const json_t *row)
{
	json_t *new = json_copy(run), *column;
	size_t k;

	json_array_foreach(document_columns(doc), k, column) {
		const char *name = result_text(column, "name");
		json_t *cell = json_object_get(row, name);

		if (new && cell && !json_object_get(run, name))
			json_object_set(new, name, cell);
	}
	return new;
}

/* ---- verdicts ---- */

/* Cells of a verdict, as results of map have them. */
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

/* The texts of a list with `between` between them; what is no text as JSON. New reference. */
static json_t *joined(const json_t *list, const char *between)
{
	char *text = NULL;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);
	json_t *one;

	if (!to)
		return json_null();
	json_array_foreach(list, i, one) {
		fputs(i ? between : "", to);
		if (json_is_string(one))
			fputs(json_string_value(one), to);
		else
			json_dumpf(one, to, JSON_COMPACT | JSON_ENCODE_ANY);
	}
	text_close(to, &text);
	one = text_or_null(text ? text : "");
	free(text);
	return one;
}

/* New reference; NULL without memory. */
static json_t *verdict_row(json_t *run, const json_t *verdict)
{
	json_t *new = json_copy(run), *cell;

	for (size_t k = 0; k < LENGTH(verdict_columns) && new; k++) {
		const char *name = verdict_columns[k].name;

		cell = json_object_get(verdict, name);
		if (json_is_array(cell))
			json_object_set_new(new, name, joined(cell, !strcmp(name, "subject")
								    ? " " : "; "));
		else if (cell)
			json_object_set(new, name, cell);
	}
	return new;
}

/* ---- files ---- */

/* Makes the first row of a file the next one. */
static int open_file(struct merging *all, int i)
{
	struct result_rows *r = &all->kept[i];

	return r->doc ? result_rows_rewind(r) : result_rows_open(r, all->paths[i]);
}

/* What was a pipe stays open, as it cannot be read again. */
static void leave_file(struct merging *all, int i)
{
	if (!all->kept[i].from.copied)
		result_rows_close(&all->kept[i]);
}

static void add_front(struct merged *m, json_t *run)
{
	const char *name;
	json_t *v;

	json_object_foreach(run, name, v) {
		bool number = !strcmp(name, "run_ranks") || !strcmp(name, "run_hosts");

		add_column(m, name, column_type_names[number ? COL_UINT : COL_TEXT]);
	}
}

/* Adds a file's columns, and checks and counts its rows. */
static int add_file(struct merged m[NTABLES], struct merging *all, int i)
{
	struct result_rows *r = &all->kept[i];
	int err = open_file(all, i);
	json_t *run = err ? NULL : run_of(r->doc, all->paths[i]);
	const json_t *row = NULL;

	for (int t = 0; t < NTABLES && !err; t++)
		add_front(&m[t], run);
	for (size_t k = 0; k < LENGTH(verdict_columns); k++)
		add_column(&m[VERDICTS], verdict_columns[k].name,
			   column_type_names[verdict_columns[k].type]);
	if (!err) {
		add_columns(&m[ROWS], r->doc);
		m[VERDICTS].nrows += json_array_size(result_at(r->doc, "summary.verdicts"));
	}
	do {
		err = err ? err : result_rows_next(r, &row);
		m[ROWS].nrows += !err && row;
	} while (!err && row);
	json_decref(run);
	leave_file(all, i);
	return err;
}

static int give(const char *path, json_t *row, merge_row_fn *take, void *arg)
{
	int err = row ? take(arg, row) : error_report("no memory for a row of '%s'", path);

	json_decref(row);
	return err;
}

static int each_row(struct result_rows *r, json_t *run, merge_row_fn *take, void *arg)
{
	const json_t *row;
	int err = result_rows_next(r, &row);

	while (!err && row) {
		err = give(r->path, row_of(r->doc, run, row), take, arg);
		err = err ? err : result_rows_next(r, &row);
	}
	return err;
}

static int each_verdict(struct result_rows *r, json_t *run, merge_row_fn *take, void *arg)
{
	json_t *verdict;
	size_t i;
	int err = ST_OK;

	json_array_foreach(result_at(r->doc, "summary.verdicts"), i, verdict)
		err = err ? err : give(r->path, verdict_row(run, verdict), take, arg);
	return err;
}

int merge_each(const struct merged *m, merge_row_fn *take, void *arg)
{
	int err = ST_OK;

	for (int i = 0; i < m->from->n && !err; i++) {
		struct result_rows *r = &m->from->kept[i];
		json_t *run = NULL;

		err = open_file(m->from, i);
		if (!err && !(run = run_of(r->doc, m->from->paths[i])))
			err = error_report("no memory for '%s'", m->from->paths[i]);
		if (!err)
			err = (m->verdicts ? each_verdict : each_row)(r, run, take, arg);
		json_decref(run);
		leave_file(m->from, i);
	}
	return err;
}

/* ---- the command ---- */

static int choose_format(const struct merge_options *o, enum merge_format *format)
{
	static const struct {
		const char *suffix;
		enum merge_format format;
	} suffixes[] = { { ".csv", CSV }, { ".jsonl", LINES }, { ".sqlite", SQLITE },
			 { ".db", SQLITE } };
	const char *dot = o->output ? strrchr(o->output, '.') : ".csv";

	*format = (enum merge_format)o->format;
	for (size_t i = 0; i < LENGTH(suffixes) && *format == BY_SUFFIX && dot; i++)
		if (!strcmp(dot, suffixes[i].suffix))
			*format = suffixes[i].format;
	if (*format == BY_SUFFIX)
		return error_usage("no format for output file '%s': must end in .csv, .jsonl, "
				   ".sqlite or .db, or '--format' names it", o->output);
	if (*format == SQLITE && !o->output)
		return error_usage("a database needs a file: use '--output FILE.sqlite'");
	return ST_OK;
}

static int write_tables(const struct merge_options *o, enum merge_format format,
			const struct merged m[NTABLES])
{
	if (format == SQLITE)
		return merge_write_sqlite(m, NTABLES, o->output, o->overwrite);
	return merge_write_text(&m[o->verdicts ? VERDICTS : ROWS], o->output, format == LINES,
				o->overwrite);
}

static int merge(const struct merge_options *o, enum merge_format format, struct merging *all)
{
	struct merged m[NTABLES] = {
		[ROWS] = { "results", json_object(), 0, all, false },
		[VERDICTS] = { "verdicts", json_object(), 0, all, true },
	};
	int err = ST_OK;

	for (int i = 0; i < all->n && !err; i++)
		err = add_file(m, all, i);
	err = err ? err : write_tables(o, format, m);
	for (int t = 0; t < NTABLES; t++)
		json_decref(m[t].columns);
	return err;
}

static int run(const struct settings *st, int n, char **paths)
{
	const struct merge_options *o = st->own;
	struct merging all = { .paths = paths, .n = n };
	enum merge_format format = BY_SUFFIX;
	int err = n ? choose_format(o, &format) : error_usage("no result file given");

	if (!err && o->verdicts && format == SQLITE)
		err = error_usage("a database has the verdicts beside the rows: it needs no "
				  "'--verdicts'");
	if (!err && o->output)
		err = out_check_file(o->output, out_instead(o->overwrite));
	if (err)
		return err;
	all.kept = calloc((size_t)n, sizeof(*all.kept));
	if (!all.kept)
		return error_report("no memory for %d results", n);
	err = merge(o, format, &all);
	for (int i = 0; i < n; i++)
		result_rows_close(&all.kept[i]);
	free(all.kept);
	return err;
}

const struct command cmd_merge = {
	.name = "merge",
	.summary = "many results as one table: CSV, JSON lines, SQLite",
	.operands = "file ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct merge_options),
	.run = run,
};
