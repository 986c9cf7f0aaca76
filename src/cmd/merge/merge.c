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
#include "result/reader.h"

enum merge_format { BY_SUFFIX, CSV, LINES, SQLITE };
static const char *const format_words[] = { "auto", "csv", "jsonl", "sqlite", NULL };

/* What is merged: each a table by itself. */
enum { ROWS, VERDICTS, NTABLES };

struct merge_options {
	uint64_t format;
	const char *output;
	bool verdicts;
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
	char *hosts = result_hosts(json_object_get(doc, "environment"), &n);
	const char *kind = result_is_emulated(doc) ? "emulated"
			   : result_is_computed(doc) ? "computed" : "measured";

	run = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:O}",
			"run_id", text_or_null(result_text(doc, "environment.run.id")),
			"run_date", text_or_null(result_text(doc, "environment.time.start")),
			"run_file", text_or_null(path),
			"run_command", text_or_null(result_text(doc, "command")),
			"run_definition", text_or_null(result_text(doc, "definition")),
			"run_kind", kind,
			"run_status", text_or_null(result_text(doc, "status")),
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

	json_array_foreach(json_object_get(doc, "columns"), i, column) {
		const char *name = result_text(column, "name"), *type = result_text(column, "type");
		const struct column *known = column_find(name);

		add_column(m, name, known ? column_type_names[known->type] : *type ? type : "text");
	}
}

/* Cells of columns alone: no samples. */
static void add_rows(struct merged *m, const json_t *doc, json_t *run)
{
	json_t *row, *column, *new;
	size_t i, k;

	json_array_foreach(json_object_get(doc, "rows"), i, row) {
		new = json_copy(run);
		json_array_foreach(json_object_get(doc, "columns"), k, column) {
			const char *name = result_text(column, "name");
			json_t *cell = json_object_get(row, name);

			if (cell && !json_object_get(run, name))
				json_object_set(new, name, cell);
		}
		json_array_append_new(m->rows, new);
	}
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

static void add_verdicts(struct merged *m, const json_t *doc, json_t *run)
{
	json_t *verdict, *cell, *new;
	size_t i;

	json_array_foreach(result_at(doc, "summary.verdicts"), i, verdict) {
		new = json_copy(run);
		for (size_t k = 0; k < LENGTH(verdict_columns); k++) {
			const char *name = verdict_columns[k].name;

			cell = json_object_get(verdict, name);
			if (json_is_array(cell))
				json_object_set_new(new, name, joined(cell, !strcmp(name, "subject")
									    ? " " : "; "));
			else if (cell)
				json_object_set(new, name, cell);
		}
		json_array_append_new(m->rows, new);
	}
}

/* ---- files ---- */

static void add_front(struct merged *m, json_t *run)
{
	const char *name;
	json_t *v;

	json_object_foreach(run, name, v) {
		bool number = !strcmp(name, "run_ranks") || !strcmp(name, "run_hosts");

		add_column(m, name, column_type_names[number ? COL_UINT : COL_TEXT]);
	}
}

static int add_file(struct merged m[NTABLES], const char *path)
{
	json_t *doc, *run;
	int err = result_read(path, &doc);

	if (err)
		return err;
	run = run_of(doc, path);
	for (int i = 0; i < NTABLES; i++)
		add_front(&m[i], run);
	add_columns(&m[ROWS], doc);
	add_rows(&m[ROWS], doc, run);
	for (size_t k = 0; k < LENGTH(verdict_columns); k++)
		add_column(&m[VERDICTS], verdict_columns[k].name,
			   column_type_names[verdict_columns[k].type]);
	add_verdicts(&m[VERDICTS], doc, run);
	json_decref(run);
	json_decref(doc);
	return ST_OK;
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
		return merge_write_sqlite(m, NTABLES, o->output);
	return merge_write_text(&m[o->verdicts ? VERDICTS : ROWS], o->output, format == LINES);
}

static int run(const struct settings *st, int n, char **paths)
{
	const struct merge_options *o = st->own;
	struct merged m[NTABLES] = { [ROWS] = { "results", json_object(), json_array() },
				     [VERDICTS] = { "verdicts", json_object(), json_array() } };
	enum merge_format format = BY_SUFFIX;
	int err = n ? choose_format(o, &format) : error_usage("no result file given");

	if (!err && o->verdicts && format == SQLITE)
		err = error_usage("a database has the verdicts beside the rows: it needs no "
				  "'--verdicts'");
	for (int i = 0; i < n && !err; i++)
		err = add_file(m, paths[i]);
	err = err ? err : write_tables(o, format, m);
	for (int i = 0; i < NTABLES; i++) {
		json_decref(m[i].columns);
		json_decref(m[i].rows);
	}
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
