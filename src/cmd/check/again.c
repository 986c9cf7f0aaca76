/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/check/again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyse/runs/figures.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/check/verdict.h"
#include "config.h"
#include "options/arguments.h"
#include "rerun/blocks.h"
#include "result/document.h"

bool check_has_runs(const struct settings *st)
{
	const struct check_options *o = st->own;

	return o->runs > 1 || o->resume;
}

/* ---- the runs ---- */

/*
 * Checks that this process itself can start all ranks of each run. This is impossible if another
 * launcher starts the ranks. Returns ST_OK or ST_USAGE (reported).
 */
static int check_job(const struct settings *st)
{
	const struct check_options *o = st->own;

	if (o->runs < 2)
		return error_usage("option '--resume' is only for '--runs'");
	if (st->job == &job_fork || st->job == &job_sim)
		return ST_OK;
	return error_usage("option '--runs' starts all ranks itself and cannot start those of job "
			   "'%s': use 'netbench runs --runs %llu -- LAUNCHER netbench check'",
			   st->job->name, (unsigned long long)o->runs);
}

/*
 * Returns whether an option is about judging or writing all runs together, not about a single run.
 */
static bool is_about_all_runs(const char *name)
{
	static const char *const ours[] = { "runs", "resume", "require", "tolerance", "of-link" };
	bool found = command_is_output(name);

	for (size_t i = 0; i < LENGTH(ours); i++)
		found |= !strcmp(name, ours[i]);
	return found;
}

/*
 * Stores the command line of one run in `lines`, and sets *words to the list of its words. Returns
 * ST_OK or ST_FAILED (reported). The caller frees first the lines, then *words.
 */
static int make_run_line(const struct settings *st, struct run_lines *lines, char ***words)
{
	static char dashes[] = "--", check[] = "check", no_link[] = "--of-link=0";
	static char *const first[] = { dashes, check, no_link };
	int n;

	*words = arguments_repeat(st->given, is_about_all_runs, LENGTH(first), &n);
	if (!*words)
		return error_report("no memory for a command line");
	memcpy(*words, first, sizeof(first));
	return run_lines_read(lines, n, *words);
}

/* ---- the result ---- */

#define BOUNDED(name) COL_##name, COL_##name##_LO, COL_##name##_HI
static const enum column_id cols[] = {
	COL_BENCHMARK, COL_SIZE, COL_WINDOW, BOUNDED(HALF_RTT_P50), BOUNDED(HALF_RTT_P99),
	BOUNDED(HALF_RTT_EPOCH), BOUNDED(RATE), BOUNDED(BANDWIDTH), COL_RUNS, COL_CI_METHOD,
};

/* The argument of put_rows: the medians over runs. Each median becomes a row. */
struct run_medians {
	const struct figures *found;
	size_t runs;
};

static bool is_same_point(const struct figure *f, const struct figure *of)
{
	return !strcmp(f->benchmark, of->benchmark) && f->size == of->size &&
	       f->window == of->window;
}

static void put_median(struct row *row, const struct record *rec, const struct figure *f)
{
	const struct column *c = column_find(f->name);
	enum column_id id = (enum column_id)(c - columns);

	row_set(row, rec, id, val_real(f->value));
	row_set(row, rec, column_part_id(id, "lo"), val_real(f->lo));
	row_set(row, rec, column_part_id(id, "hi"), val_real(f->hi));
	row_set(row, rec, COL_CI_METHOD, val_text(isnan(f->lo) ? "none" : "runs"));
}

/* Writes a row for each benchmark, size and window. b_eff is in the summary, not in a row. */
static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct run_medians *m = arg;
	const struct figure *at = m->found->at, *end = at + m->found->n;
	int err = ST_OK;

	for (const struct figure *f = at; f < end && !err; f++) {
		const struct figure *first = at;
		struct row row = { 0 };

		while (!is_same_point(first, f))
			first++;
		if (first < f || !column_find(f->name))
			continue;
		ROW_PUT(&row, rec, { COL_BENCHMARK, val_text(f->benchmark) },
			{ COL_SIZE, val_uint(f->size) }, { COL_WINDOW, val_uint(f->window) },
			{ COL_RUNS, val_uint(m->runs) });
		for (const struct figure *g = f; g < end; g++)
			if (is_same_point(g, f))
				put_median(&row, rec, g);
		err = report_row(r, rec, &row);
	}
	return err;
}

/* Makes the summary without the verdict. Returns a new reference. */
static json_t *summarise_runs(const struct experiment *x, const struct figures *found)
{
	const struct figure *score = find_figure(found, "beff", "b_eff_Bps", NULL);
	static const char *const kept[] = { "b_eff_sizes", "b_eff_rule" };
	json_t *summary = runs_journal_head(x->lines, x->seed);

	json_object_del(summary, "schema");
	json_object_update_new(summary, json_pack("{s:I, s:I}", "blocks", (json_int_t)x->blocks,
						  "void", (json_int_t)x->voids));
	for (size_t i = 0; score && i < LENGTH(kept); i++)
		json_object_set(summary, kept[i], json_object_get(
			document_summary(x->results[0].doc), kept[i]));
	if (score)
		json_object_update_new(summary, json_pack("{s:f, s:o, s:o}", "b_eff_Bps",
				       score->value, "b_eff_lo_Bps", real_or_null(score->lo),
				       "b_eff_hi_Bps", real_or_null(score->hi)));
	return summary;
}

static int report_medians(const struct settings *st, const struct experiment *x,
			  const struct figures *found, const char *status)
{
	const json_t *doc = x->results[0].doc, *row = json_array_get(document_rows(doc), 0);
	struct run_medians medians = { found, x->blocks };
	struct text title = text_from("netbench %s check: medians over %zu run%s of %s",
				      NETBENCH_VERSION, x->blocks, x->blocks == 1 ? "" : "s",
				      x->lines->at[0].text);
	struct record rec = {
		.command = "check", .definition = "check.runs.v1", .title = title.s, .cols = cols,
		.ncols = LENGTH(cols), .words = true, .options = st->options,
		.environment = json_incref(json_object_get(doc, "environment")),
		.summary = summarise_runs(x, found), .warnings = experiment_warnings(x),
		.runs = x->runs, .status = status, .computed = result_is_computed(doc),
		.emulated = result_is_emulated(doc),
	};
	struct check_report r = { .title = rec.title, .warnings = rec.warnings, .found = found,
				  .ranks = (int)row_number(row, COL_RUN_RANKS),
				  .runs = x->blocks, .over = x->signal };
	char *text = NULL;
	int verdict = check_judge(st, &rec, &r, &text), err;

	rec.footer = text;
	err = report_result(&st->output, &rec, put_rows, &medians);
	free(text);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	return err ? err : verdict;
}

/* Judges the completed runs. Returns the exit status. */
static int judge_runs(const struct settings *st, const struct experiment *x, const char *status)
{
	struct figures *each = memory_new(x->blocks, sizeof(*each)), found = { .n = 0 };
	int err = ST_OK;

	for (size_t i = 0; i < x->blocks && !err; i++)
		err = figures_read(&each[i], x->results[i].doc);
	if (!err)
		err = combine_figures(each, x->blocks, &found);
	if (!err)
		err = report_medians(st, x, &found, status);
	for (size_t i = 0; i < x->blocks; i++)
		free(each[i].at);
	free(each);
	free(found.at);
	return err;
}

int check_in_runs(const struct settings *st, int noperands, char **operands)
{
	const struct check_options *o = st->own;
	struct experiment x = { .blocks = 0 };
	struct run_lines lines = { .n = 0 };
	char **words = NULL;
	bool written = false;
	int err = check_job(st), judged;

	(void)noperands;
	(void)operands;
	if (!err)
		err = make_run_line(st, &lines, &words);
	if (!err)
		err = report_check(&st->output);
	if (!err)
		err = experiment_open(&x, &lines, &st->output, o->resume, (uint64_t)time(NULL));
	if (!err && x.signal)
		err = 128 + x.signal;
	x.planned = (size_t)o->runs;
	while (!err && !x.signal && x.blocks < x.planned)
		err = experiment_block(&x, 0);
	if (!err && !x.blocks)
		err = 128 + x.signal;
	if (x.blocks) {
		judged = judge_runs(st, &x, x.signal ? "interrupted" : err ? "failed" : "complete");
		written = judged == ST_OK || judged == ST_FAILED || judged == ST_NO_VERDICT;
		if (!err)
			err = x.signal ? 128 + x.signal : judged;
	}
	experiment_close(&x, written && !x.signal);
	run_lines_free(&lines);
	free(words);
	return err;
}
