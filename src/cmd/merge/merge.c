/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command merge: writes one table of many results. The table has a row for each row of every
 * result or, with --verdicts, for each verdict. A database has rows for both.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "result/store/sqlite.h"
#include "cmd/merge/text.h"
#include "result/out.h"

enum merge_format { BY_SUFFIX, CSV, LINES, SQLITE };
static const char *const format_words[] = { "auto", "csv", "jsonl", "sqlite", NULL };

struct merge_options {
	uint64_t format;
	const char *output;
	bool verdicts, overwrite;
};

static const struct opt options[] = {
	{ 'f', "format", "format", OPT_CHOICE, offsetof(struct merge_options, format),
	  .def = "auto", .choices = format_words,
	  .help = "format of the table; auto: by the suffix of --output, or CSV on standard "
		  "output" },
	{ 'o', "output", "file", OPT_TEXT, offsetof(struct merge_options, output),
	  .file = OPT_WRITTEN,
	  .help = "write the table into this file: .csv, .jsonl, .sqlite or .db" },
	{ 0, "verdicts", NULL, OPT_FLAG, offsetof(struct merge_options, verdicts),
	  .help = "write the verdicts of maps instead of rows; a database has both" },
	OUT_OVERWRITE_OPTION(offsetof(struct merge_options, overwrite)),
	{ 0 },
};

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
		return error_usage("no format for output file '%s': name it with '--format', or "
				   "let the file end in .csv, .jsonl, .sqlite or .db", o->output);
	if (*format == SQLITE && !o->output)
		return error_usage("a database needs a file: use '--output FILE.sqlite'");
	return ST_OK;
}

static int run_merge(const struct settings *st, int n, char **paths)
{
	const struct merge_options *o = st->own;
	struct merging all = { .paths = paths, .n = n };
	enum merge_format format = BY_SUFFIX;
	struct merged m[NTABLES];
	int err = n ? choose_format(o, &format) : error_usage("no result file given");

	if (!err && o->verdicts && format == SQLITE)
		err = error_usage("a database has verdicts and rows: '--verdicts' is not for "
				  "databases");
	if (!err && o->output)
		err = out_check_file(o->output, out_advice(o->overwrite));
	if (err)
		return err;
	all.kept = memory_new((size_t)n, sizeof(*all.kept));
	m[ROWS] = (struct merged){ "results", json_object(), 0, &all, false };
	m[VERDICTS] = (struct merged){ "verdicts", json_object(), 0, &all, true };
	for (int i = 0; i < n && !err; i++)
		err = merge_add_file(m, &all, i);
	if (!err && format == SQLITE)
		err = merge_write_sqlite(m, NTABLES, o->output, o->overwrite);
	else if (!err)
		err = merge_write_text(&m[o->verdicts ? VERDICTS : ROWS], o->output,
				       format == LINES, o->overwrite);
	for (int t = 0; t < NTABLES; t++)
		json_decref(m[t].columns);
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
	.run = run_merge,
};
