/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the columns and rows of each file for a picture. */
#include "show/chart/select.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/chart/axes.h"
#include "show/chart/samples.h"

/*
 * The usual columns, for commands that begin with `command`. The first column that has numbers is
 * drawn. A median of single values is drawn only if the result has its interval.
 */
static const struct {
	const char *command, *column;
} usual[] = {
	{ "latency", "half_rtt_p50_s" }, { "latency", "half_rtt_epoch_s" },
	{ "latency", "read_p50_s" }, { "bandwidth", "bandwidth_Bps" }, { "msgrate", "rate_msgps" },
	{ "beff", "bandwidth_max_Bps" }, { "atlas-2.", "frequency_Hz" }, { "atlas", "event_s" },
	{ "collective", "collective_s" }, { "collective", "behind_barrier_s" },
	{ "load", "factor_p99" }, { "load", "factor_p50" },
	{ "load", "latency_p99_s" }, { "load", "latency_p50_s" },
	{ "model", "pair_model_Bps" }, { "model", "bandwidth_model_Bps" }, { "model", "model_s" },
	{ "model", "half_rtt_epoch_s" }, { "model", "processors" }, { "compare", "ratio" },
};

/*
 * Candidates for the x axis. The column with the most values is chosen or, if `first`, the first
 * column that has several values. Columns of texts have the lowest priority.
 */
static const struct {
	const char *command;
	bool first;
	const char *columns[12];
} sweeps[] = {
	{ "load", true, { "elapsed_s", "load_asked" } },
	{ "msgrate", false, { "elapsed_s", "window", "batch", "size_B" } },
	{ "atlas", true, { "size_B", "ranks", "window", "occupation_s", "credits" } },
	{ "", false, { "elapsed_s", "size_B", "window", "batch", "pairs", "ranks", "arity",
		       "pattern", "after_s", "after_cycles" } },
};

/*
 * Patterns of models that are compared with half a round trip. The time of a ping-pong is halved.
 */
static const char *const round_trips[] = { "one-way", PLOT_PINGPONG };

/* Groups of columns that hold the same quantity, measured or computed. */
static const char *const alike[][4] = {
	{ "bandwidth_Bps", "bandwidth_max_Bps", "bandwidth_model_Bps" },
	{ "rate_msgps", "rate_model_msgps" },
	{ "frequency_Hz", "frequency_model_Hz" },
	{ "half_rtt_p50_s", "half_rtt_epoch_s", "model_s" },
	{ "message_s", "model_s" },
	{ "event_s", "model_s" },
};

static bool begins_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_number(const json_t *doc, const char *name)
{
	const json_t *column = result_column(doc, name);

	return column && strcmp(result_text(column, "type"), "text") != 0;
}

bool select_has_numbers(const json_t *doc, const char *name)
{
	const json_t *row;
	size_t i;

	if (is_number(doc, name))
		json_array_foreach(document_rows(doc), i, row)
			if (isfinite(result_number(row, name)))
				return true;
	return false;
}

/*
 * Returns true if a value equals a word of the command line, which is a text, or a number with or
 * without a suffix.
 */
static bool value_equals(const json_t *v, const char *text)
{
	uint64_t bytes;
	double number;

	if (json_is_string(v))
		return !strcmp(json_string_value(v), text);
	if (!json_is_number(v))
		return false;
	if (parse_size(text, &bytes) && (double)bytes == json_number_value(v))
		return true;
	return parse_seconds(text, &number) && fabs(number - json_number_value(v)) <= 1e-9 * number;
}

/* Returns true if a row has one of the values in "name=value,...", or lacks the column. */
static bool meets_condition(const json_t *row, const char *condition)
{
	char *name = strdup(condition), *rest = name, *value;
	const json_t *v = name ? json_object_get(row, strsep(&rest, "=")) : NULL;
	bool met = !v;

	while (!met && (value = strsep(&rest, ",")))
		met = value_equals(v, value);
	free(name);
	return met;
}

/*
 * Returns true if a row has the text `wanted` in a column, or lacks the column. NULL matches any
 * text.
 */
static bool has_text(const json_t *row, const char *column, const char *wanted)
{
	return !wanted || !json_object_get(row, column) ||
	       !strcmp(result_text(row, column), wanted);
}

bool select_accepts(const struct picture *pic, const struct plot_run *run, const json_t *row)
{
	if (!has_text(row, "benchmark", pic->benchmark) || !has_text(row, "pattern", run->pattern))
		return false;
	for (size_t i = 0; i < pic->ask->nwhere; i++)
		if (!meets_condition(row, pic->ask->where[i]))
			return false;
	return true;
}

static const char *nth_column_name(size_t i, void *doc)
{
	const json_t *column = json_array_get(document_columns(doc), i);

	return column ? result_text(column, "name") : NULL;
}

int select_report_missing(const struct plot_run *run, const char *name)
{
	const char *near = suggest(name, nth_column_name, run->doc);

	if (result_has(run->doc, name))
		return error_usage("column '%s' of '%s' has %s", name, run->path,
				   is_number(run->doc, name) ? "numbers, not texts"
							     : "texts, not numbers");
	if (near)
		return error_usage("'%s' has no column '%s', did you mean '%s'?", run->path, name,
				   near);
	return error_usage("'%s' has no column '%s'", run->path, name);
}

int select_check_where(const struct album *a, const struct chart_request *ask)
{
	for (size_t i = 0; i < ask->nwhere; i++) {
		const char *text = ask->where[i];
		size_t len = strcspn(text, "="), run = 0;
		char name[64];

		if (!len || !text[len] || !text[len + 1])
			return error_usage("value '%s' of '--where' is not name=value", text);
		snprintf(name, sizeof(name), "%.*s",
			 (int)(len < sizeof(name) ? len : sizeof(name) - 1), text);
		while (run < a->nfiles && !result_has(a->files[run].doc, name))
			run++;
		if (run == a->nfiles)
			return select_report_missing(&a->files[0], name);
	}
	return ST_OK;
}

/*
 * Returns the file that decides which columns are drawn: the first that was not computed by model.
 */
static const struct plot_run *leading_file(const struct picture *pic)
{
	for (size_t i = 0; i < pic->nruns; i++)
		if (strcmp(document_command(pic->runs[i].doc), "model") != 0 ||
		    !result_is_computed(pic->runs[i].doc))
			return &pic->runs[i];
	return &pic->runs[0];
}

bool select_is_half_rtt(const char *column)
{
	return !strcmp(column, "half_rtt_epoch_s") || !strcmp(column, "half_rtt_p50_s");
}

/*
 * Returns a column of the file that has the same quantity as `column`, which the file lacks; NULL
 * if there is none.
 */
static const char *equivalent_column(const json_t *doc, const char *column)
{
	for (size_t i = 0; i < LENGTH(alike); i++) {
		const char *found = NULL;
		bool among = false;

		for (size_t k = 0; k < LENGTH(alike[i]) && alike[i][k]; k++) {
			among |= !strcmp(alike[i][k], column);
			if (!found && select_has_numbers(doc, alike[i][k]))
				found = alike[i][k];
		}
		if (among && found)
			return found;
	}
	return NULL;
}

const char *select_command_prefix(const char *benchmark)
{
	return isdigit((unsigned char)*benchmark) ? PLOT_FAMILY : "";
}

/*
 * Writes the command that measures the rows of a result: the command of `benchmark` or, if
 * `benchmark` is "" or the result has no column `benchmark`, the command of the result.
 */
static void write_command(char *buf, size_t len, const json_t *doc, const char *benchmark)
{
	if (*benchmark && result_has(doc, "benchmark"))
		snprintf(buf, len, "%s%s", select_command_prefix(benchmark), benchmark);
	else
		snprintf(buf, len, "%s", document_command(doc));
}

const char *select_usual_column(const json_t *doc, const char *benchmark)
{
	char command[64], lo[80];
	json_t *c;
	size_t i;

	if (result_is_comparison(doc))	/* all comparisons have the same usual columns */
		snprintf(command, sizeof(command), "compare");
	else
		write_command(command, sizeof(command), doc, benchmark);
	/* the first half of the loop accepts only columns that have numbers */
	for (i = 0; i < 2 * LENGTH(usual); i++) {
		const char *column = usual[i % LENGTH(usual)].column;

		column_part(lo, sizeof(lo), column, "lo");
		if (begins_with(command, usual[i % LENGTH(usual)].command) &&
		    is_number(doc, column) && (!strstr(column, "_p50") || is_number(doc, lo)) &&
		    (i >= LENGTH(usual) || select_has_numbers(doc, column)))
			return column;
	}
	json_array_foreach(document_columns(doc), i, c)
		if (!strcmp(result_text(c, "type"), "real") && *result_text(c, "unit") &&
		    strcmp(result_text(c, "name"), "occupation_s") != 0)
			return result_text(c, "name");
	return NULL;
}

static const char *benchmark_of(const struct picture *pic)
{
	return pic->benchmark ? pic->benchmark : "";
}

/*
 * Chooses the pattern of a model that is compared with half a round trip, unless --where names
 * patterns. If the model lacks both `round_trips`, no row is selected.
 */
static void choose_pattern(const struct picture *pic, struct plot_run *run)
{
	const json_t *rows = document_rows(run->doc), *row;
	size_t i;

	if (!select_is_half_rtt(pic->y.column) || !result_has(run->doc, "pattern"))
		return;
	for (size_t k = 0; k < pic->ask->nwhere; k++)
		if (begins_with(pic->ask->where[k], "pattern="))
			return;
	for (size_t k = 0; k < LENGTH(round_trips); k++) {
		run->pattern = round_trips[k];
		json_array_foreach(rows, i, row)
			if (select_accepts(pic, run, row))
				return;
	}
	run->pattern = round_trips[0];
}

static int choose_y(struct picture *pic)
{
	const char *wanted = pic->ask->column;
	const struct plot_run *first = leading_file(pic);

	for (size_t i = 0; i < pic->nruns && wanted && !is_number(first->doc, wanted); i++)
		if (is_number(pic->runs[i].doc, wanted))
			first = &pic->runs[i];
	pic->y.column = wanted ? wanted : select_usual_column(first->doc, benchmark_of(pic));
	if (!pic->y.column)
		return error_usage("'%s' has no numeric column to draw", first->path);
	if (!is_number(first->doc, pic->y.column))
		return select_report_missing(first, pic->y.column);
	pic->y.unit = result_text(result_column(first->doc, pic->y.column), "unit");
	pic->y.factor = rate_factor(pic->ask->rates, &pic->y.unit);
	for (size_t i = 0; i < pic->nruns; i++) {
		struct plot_run *run = &pic->runs[i];

		choose_pattern(pic, run);
		run->y = select_has_numbers(run->doc, pic->y.column)
			 ? pic->y.column : equivalent_column(run->doc, pic->y.column);
		if (!run->y && is_number(run->doc, pic->y.column))
			run->y = pic->y.column;
		if (!run->y)
			return select_report_missing(run, pic->y.column);
		/* a column to which a model was fitted is measured, even if the file is computed */
		run->computed = result_is_computed(run->doc) && strcmp(run->y, "measured_s") != 0 &&
				!is_number(run->doc, select_error_column(run->y).s);
	}
	return ST_OK;
}

/*
 * Returns the first file that lacks a column, or whose column has another type than in the leading
 * file; NULL if there is none.
 */
static const struct plot_run *find_file_without(const struct picture *pic, const char *column)
{
	bool number = is_number(leading_file(pic)->doc, column);

	for (size_t i = 0; i < pic->nruns; i++)
		if (!result_has(pic->runs[i].doc, column) ||
		    is_number(pic->runs[i].doc, column) != number)
			return &pic->runs[i];
	return NULL;
}

/*
 * Returns the largest number of different values of a column in rows of one kind. Returns 0 for
 * ranks if the user asked for only one number of ranks.
 */
static size_t count_values(const struct picture *pic, const struct plot_run *run,
			   const char *column)
{
	const json_t *rows = document_rows(run->doc), *row;
	json_t *kinds = json_object();
	size_t i, most = 0;

	if (!strcmp(column, "ranks") && json_array_size(document_option(run->doc, "ranks")) == 1)
		rows = NULL;
	json_array_foreach(rows, i, row) {
		const json_t *v = json_object_get(row, column);
		struct text kind;
		json_t *seen;
		char *key;

		if (!v || json_is_null(v) || !select_accepts(pic, run, row))
			continue;
		/* a sweep stays within one benchmark, pattern and algorithm */
		kind = text_from("%s/%s/%s", row_text(row, COL_BENCHMARK),
				 strcmp(column, "pattern") ? row_text(row, COL_PATTERN) : "",
				 row_text(row, COL_ALGORITHM));
		if (!json_object_get(kinds, kind.s))	/* a cut text may be malformed UTF-8 */
			json_object_set_new_nocheck(kinds, kind.s, json_object());
		seen = json_object_get(kinds, kind.s);
		key = json_dumps(v, JSON_ENCODE_ANY);
		json_object_set_new(seen, key, json_true());
		free(key);
		most = json_object_size(seen) > most ? json_object_size(seen) : most;
	}
	json_decref(kinds);
	return most;
}

/*
 * Returns the column of `sweeps` that all files have and at least one file sweeps. If there is
 * none, returns the first column that all files have, or NULL.
 */
static const char *choose_usual_x(const struct picture *pic)
{
	const char *best = NULL, *common = NULL;
	char command[64];
	size_t row = 0, most = 1;

	write_command(command, sizeof(command), leading_file(pic)->doc, benchmark_of(pic));
	while (!begins_with(command, sweeps[row].command))
		row++;
	for (size_t i = 0; i < LENGTH(sweeps[0].columns) && sweeps[row].columns[i]; i++) {
		const char *column = sweeps[row].columns[i];
		size_t n = 0;

		if (find_file_without(pic, column) || !strcmp(column, pic->y.column))
			continue;
		common = common ? common : column;
		for (size_t k = 0; k < pic->nruns; k++) {
			size_t own = count_values(pic, &pic->runs[k], column);

			n = own > n ? own : n;
		}
		if (n > 2 && !is_number(leading_file(pic)->doc, column))
			n = 2;	/* columns of numbers that are swept have priority over texts */
		if (n > most) {
			best = column;
			most = sweeps[row].first ? SIZE_MAX : n;
		}
	}
	return best ? best : common;
}

static int choose_x(struct picture *pic)
{
	const char *wanted = pic->ask->x;
	const json_t *first = leading_file(pic)->doc;
	const struct plot_run *without;

	pic->x.column = wanted ? wanted : choose_usual_x(pic);
	if (!pic->x.column)
		return error_usage("no column to draw '%s' over; name one with '--x'",
				   pic->y.column);
	without = find_file_without(pic, pic->x.column);
	if (without)
		return select_report_missing(without, pic->x.column);
	pic->x.unit = result_text(result_column(first, pic->x.column), "unit");
	if (!is_number(first, pic->x.column)) {
		pic->x.scale = SCALE_NAMES;
		pic->x.names = json_object();
		pic->x.unit = "";
	}
	/* the earliest result, the first interval of a run over time, and no load are at 0 */
	pic->x.linear |= !strcmp(pic->x.column, "time") || !strcmp(pic->x.column, "elapsed_s") ||
			 !strcmp(pic->x.column, "load_asked");
	pic->x.factor = rate_factor(pic->ask->rates, &pic->x.unit);
	return ST_OK;
}

struct text select_error_column(const char *column)
{
	const char *unit = strrchr(column, '_');

	return text_from("%.*s_error", unit ? (int)(unit - column) : (int)strlen(column), column);
}

int select_columns(struct picture *pic)
{
	int err = pic->ask->kind ? samples_choose_columns(pic) : choose_y(pic);

	if (!err && !pic->ask->kind)
		err = choose_x(pic);
	if (!err)
		err = axes_read_range(&pic->x, "x-range", pic->ask->x_range);
	if (!err)
		err = axes_read_range(&pic->y, "y-range", pic->ask->y_range);
	axes_read_lines(pic);
	return err;
}
