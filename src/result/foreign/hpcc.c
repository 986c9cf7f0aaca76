/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table has a heading, "MSize looplength transfer B/s", and one line per size. Versions of the
 * program name the third column "time", "transfer" or "time [s]". One version names the unit GB/s,
 * although its numbers are B/s. After the table comes a line "b_eff = ... B/s".
 */
#include "result/foreign/hpcc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/values.h"
#include "result/columns.h"

#define WORDS 5			/* largest number of words of a line of interest */
#define BLANKS " \t\r"
/* kernel pairs of a card, if the text does not state its ranks */
#define PAIRS 2
/* largest relative error of a product of two numbers that are printed with 6 digits */
#define ROUNDING 1e-4

/* Settings that the program prints before it measures: one per line, then blanks and the value. */
static const char ranks_setting[] = "MPI Ranks", repetitions_setting[] = "Repetitions";
static const char *const settings[] = {
	ranks_setting, repetitions_setting, "Communication Type", "Device", "Kernel File",
	"Kernel Replications", "Loop Length", "Git Commit:",
};

/* ---- lines ---- */

/* A line of a text, cut into words. */
struct hpcc_line {
	char text[256];		/* the line without its newline; longer lines are cut */
	char copy[256];		/* the same; `word` points into it */
	const char *word[WORDS];
	size_t n;		/* number of words; WORDS + 1: there are more */
};

/* Reads the next line of *at, and moves *at past it. Returns false at the end of the text. */
static bool next_line(const char **at, struct hpcc_line *l)
{
	size_t len = strcspn(*at, "\n");
	char *rest = NULL;

	if (!**at)
		return false;
	snprintf(l->text, sizeof(l->text), "%.*s", (int)len, *at);
	memcpy(l->copy, l->text, sizeof(l->copy));
	l->n = 0;
	for (char *w = strtok_r(l->copy, BLANKS, &rest); w && l->n <= WORDS;
	     w = strtok_r(NULL, BLANKS, &rest), l->n++)
		if (l->n < WORDS)
			l->word[l->n] = w;
	*at += len + ((*at)[len] == '\n');
	return true;
}

static bool is_heading(const struct hpcc_line *l)
{
	const char *last = l->n && l->n <= WORDS ? l->word[l->n - 1] : "";

	return l->n >= 4 && !strcmp(l->word[0], "MSize") && !strcmp(l->word[1], "looplength") &&
	       (!strcmp(last, "B/s") || !strcmp(last, "GB/s"));
}

bool hpcc_has_table(const char *text)
{
	struct hpcc_line l;

	text += strspn(text, FILE_BLANKS);
	if (*text && strchr("{[#", *text))	/* JSON or CSV of netbench, which may be long */
		return false;
	while (next_line(&text, &l))
		if (is_heading(&l))
			return true;
	return false;
}

/* ---- rows ---- */

/* What has been read so far. */
struct hpcc_table {
	json_t *rows, *warnings, *program;
	double b_eff;		/* B/s; NaN: not stated */
	/* messages that all cards together send in an exchange, from the first row; 0: no row */
	double messages;
};

/*
 * Adds a row with four positive numbers. Returns false if the line is no such row. Warns if the
 * bandwidth is not the one that follows from the time.
 */
static bool add_row(struct hpcc_table *t, const struct hpcc_line *l)
{
	double v[4], messages;
	json_t *row, *best_of = json_object_get(t->program, repetitions_setting);

	if (l->n != LENGTH(v))
		return false;
	for (size_t i = 0; i < LENGTH(v); i++)
		if (scan_real(l->word[i], &v[i]) || !(v[i] > 0) ||
		    (i < 2 && (v[i] != floor(v[i]) || v[i] > 1e15)))
			return false;
	messages = v[3] * v[2] / (v[0] * v[1]);
	if (!t->messages)
		t->messages = messages;
	if (fabs(messages / t->messages - 1) > ROUNDING)
		json_array_append_new(t->warnings, json_string(text_from(
			"at %s B the B/s of the table is not that of its time, which gives %.6g",
			l->word[0], t->messages * v[0] * v[1] / v[2]).s));
	row = json_pack("{s:I, s:I, s:f, s:f}", columns[COL_SIZE].name, (json_int_t)v[0],
			columns[COL_LOOPS].name, (json_int_t)v[1],
			columns[COL_TIME_MIN].name, v[2], columns[COL_BANDWIDTH_MAX].name, v[3]);
	if (best_of)
		json_object_set_new(row, columns[COL_BEST_OF].name,
				    json_integer(strtoll(json_string_value(best_of), NULL, 10)));
	json_array_append_new(t->rows, row);
	return true;
}

static void read_other_line(struct hpcc_table *t, const struct hpcc_line *l)
{
	double b_eff;

	if (l->n >= 3 && !strcmp(l->word[0], "b_eff") && !strcmp(l->word[1], "=") &&
	    !scan_real(l->word[2], &b_eff))
		t->b_eff = b_eff;
	if (strstr(l->text, "VALIDATION OF OUTPUT DATA FAILED"))
		json_array_append_new(t->warnings, json_string(
			"HPCC FPGA has reported wrong content of messages"));
	for (size_t i = 0; i < LENGTH(settings); i++) {
		size_t len = strlen(settings[i]);
		const char *value = l->text + len;

		if (strncmp(l->text, settings[i], len) != 0 || !strspn(value, BLANKS))
			continue;
		value += strspn(value, BLANKS);
		json_object_set_new(t->program, settings[i],
				    json_stringn(value, strcspn(value, "\r")));
	}
}

/* ---- the result ---- */

/*
 * Returns the number of ranks that the text states. Without it, returns the ratio of the bandwidths
 * to those of one card, or JSON null if this is not a whole number.
 */
static json_t *count_ranks(const struct hpcc_table *t)
{
	const char *stated = json_string_value(json_object_get(t->program, ranks_setting));
	double n = t->messages / PAIRS;
	uint64_t ranks;

	if (stated && !scan_whole(&stated, false, &ranks))
		n = (double)ranks;
	return n >= 0.5 && fabs(n - round(n)) <= n * ROUNDING ? json_integer((json_int_t)round(n))
							    : json_null();
}

static json_t *make_result(const struct hpcc_table *t)
{
	static const enum column_id ids[] = { COL_SIZE, COL_LOOPS, COL_TIME_MIN, COL_BANDWIDTH_MAX,
					      COL_BEST_OF };
	bool counted = json_object_get(t->program, repetitions_setting) != NULL;
	json_t *list = json_array(), *summary = json_object();
	const char *how = json_string_value(json_object_get(t->program, "Communication Type"));

	for (size_t i = 0; i < LENGTH(ids) - !counted; i++)
		json_array_append_new(list, json_pack("{s:s}", "name", columns[ids[i]].name));
	if (!isnan(t->b_eff))
		json_object_set_new(summary, "b_eff_Bps", json_real(t->b_eff));
	json_object_set_new(summary, "b_eff_sizes",
			    json_integer((json_int_t)json_array_size(t->rows)));
	json_object_set_new(summary, "b_eff_rule", json_string("hpcc-fpga"));
	return json_pack("{s:s, s:i, s:s, s:s, s:b, s:{s:s}, s:{s:{s:s, s:s}, s:O, s:o}, s:o, s:O, "
			 "s:o, s:O, s:s}", "schema", "netbench", "schema_version", 1,
			 "command", "beff", "definition", HPCC_DEFINITION, "computed", false,
			 "options", "rule", "hpcc-fpga",
			 "environment", "backend", "name", "HPCC FPGA", "method",
			 how ? how : "the program HPCC FPGA", "program", t->program,
			 "nranks", count_ranks(t), "columns", list, "rows", t->rows,
			 "summary", summary, "warnings", t->warnings,
			 "status", isnan(t->b_eff) ? "interrupted" : "complete");
}

int hpcc_parse(const char *path, const char *text, json_t **doc)
{
	struct hpcc_table t = { json_array(), json_array(), json_object(), NAN, 0 };
	int headings = 0, err = ST_OK;
	bool inside = false;
	struct hpcc_line l;

	while (next_line(&text, &l)) {
		bool heading = is_heading(&l);

		headings += heading;
		inside = heading || (inside && add_row(&t, &l));
		if (!inside)
			read_other_line(&t, &l);
	}
	if (headings > 1)
		err = error_usage("'%s' has several tables of HPCC FPGA: keep each in its own file",
				  path);
	else if (!json_array_size(t.rows))
		err = error_usage("'%s' has the heading of HPCC FPGA's table, but no row", path);
	*doc = err ? NULL : make_result(&t);
	json_decref(t.rows);
	json_decref(t.warnings);
	json_decref(t.program);
	return err || *doc ? err : error_report("no memory for '%s'", path);
}
