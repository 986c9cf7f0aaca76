/* SPDX-License-Identifier: Apache-2.0 */
/* Many results as one table: a row for each of their rows. */
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

struct merge_options {
	uint64_t format;
	const char *output;
};

static const struct opt options[] = {
	{ 'f', "format", "format", OPT_CHOICE, offsetof(struct merge_options, format),
	  .def = "auto", .choices = format_words,
	  .help = "by default by the suffix of --output, and CSV on standard output" },
	{ 'o', "output", "file", OPT_TEXT, offsetof(struct merge_options, output),
	  .file = OPT_WRITTEN,
	  .help = "write the table into this file: .csv, .jsonl, .sqlite or .db" },
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

static int add_file(struct merged *m, const char *path)
{
	json_t *doc, *run, *v;
	const char *name;
	int err = result_read(path, &doc);

	if (err)
		return err;
	run = run_of(doc, path);
	json_object_foreach(run, name, v) {
		bool number = !strcmp(name, "run_ranks") || !strcmp(name, "run_hosts");

		add_column(m, name, column_type_names[number ? COL_UINT : COL_TEXT]);
	}
	add_columns(m, doc);
	add_rows(m, doc, run);
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

static int run(const struct settings *st, int n, char **paths)
{
	const struct merge_options *o = st->own;
	struct merged m = { json_object(), json_array() };
	enum merge_format format = BY_SUFFIX;
	int err = n ? choose_format(o, &format) : error_usage("no result file given");

	for (int i = 0; i < n && !err; i++)
		err = add_file(&m, paths[i]);
	if (!err)
		err = format == SQLITE ? merge_write_sqlite(&m, o->output)
				       : merge_write_text(&m, o->output, format == LINES);
	json_decref(m.columns);
	json_decref(m.rows);
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
