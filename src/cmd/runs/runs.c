/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command runs: runs complete command lines many times. The result is the median over the runs,
 * or a verdict from blocks of runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyse/runs/judge.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/margin.h"
#include "rerun/blocks.h"
#include "config.h"
#include "host/record.h"
#include "options/types.h"
#include "result/document.h"
#include "analyse/runs/kept.h"
#include "show/runs/rows.h"
#include "show/runs/words.h"

#define MOST_BLOCKS 90
#define LEVEL 0.05 /* significance level of all interim looks together */
#define USUAL_TIME_S 600

struct runs_options {
	uint64_t runs, seed;
	double time_s;
	const char *margin, *measure, *resume;
};

static const struct opt options[] = {
	{ 0, "runs", "count", OPT_UINT, offsetof(struct runs_options, runs), .def = "auto",
	  .min = 1, .max = MOST_BLOCKS, .word = "auto",
	  .help = "runs of each command line; auto: until the verdict is known, or, with one "
		  "command, until all intervals are within the margin" },
	{ 0, "time", "seconds", OPT_SECONDS, offsetof(struct runs_options, time_s), .def = "auto",
	  .min = 0, .max = -1, .word = "auto",
	  .help = "begin no block that would end after this time; auto: 10m, or no limit with "
		  "'--runs count'" },
	{ 0, "margin", "percent", OPT_TEXT, offsetof(struct runs_options, margin), .def = "5%",
	  .help = "exit 1 if a command is slower than the first by more than this, 0 if none is" },
	{ 0, "measure", "column", OPT_TEXT, offsetof(struct runs_options, measure),
	  .help = "what to compare: a column in s, B/s, msg/s, Hz or cycles; by default the "
		  "command's main one" },
	{ 0, "resume", "file", OPT_TEXT, offsetof(struct runs_options, resume),
	  .file = OPT_READ_ON_0,
	  .help = "continue the runs of this result in JSON, or of a FILE.runs" },
	{ 0, "seed", "number", OPT_UINT, offsetof(struct runs_options, seed), .def = "auto",
	  .word = "auto", .min = 0, .max = 9007199254740992.0,
	  .help = "seed of the order in blocks; auto: another one each time" },
	{ 0 },
};

/* ---- looks ---- */

/* An interim look: the judgement of all blocks measured so far. */
struct run_look {
	struct run_table table;
	struct runs_judged judged;
	bool taken;
};

static void free_look(struct run_look *l)
{
	if (!l->taken)
		return;
	runs_judged_free(&l->judged);
	run_table_free(&l->table);
	l->taken = false;
}

/*
 * Judges the blocks so far at level alpha. If alpha is NaN, makes no verdict. Returns ST_OK or an
 * exit status (reported).
 */
static int judge_so_far(struct run_look *l, const struct experiment *x,
			const struct runs_options *o, double margin, double alpha)
{
	const struct runs_question ask = { x->lines->n, x->blocks, margin, alpha };
	int err;

	free_look(l);
	l->judged = (struct runs_judged){ .own = NULL };
	err = run_table_from_list(&l->table, x->results, x->blocks * x->lines->n, o->measure);
	l->taken = true;
	return err ? err : runs_judge(&l->table, &ask, &l->judged);
}

/* Limits on the number and the time of blocks. */
struct run_limits {
	size_t blocks; /* largest number of blocks */
	double time_s;
	bool looks; /* --runs auto: also look before the final block */
};

static struct run_limits limits_from_options(const struct runs_options *o)
{
	bool automatic = o->runs == OPT_AUTO;
	double usual = automatic ? USUAL_TIME_S : INFINITY;

	return (struct run_limits){ automatic ? MOST_BLOCKS : (size_t)o->runs,
				    o->time_s == OPT_AUTO_SECONDS ? usual : o->time_s, automatic };
}

/*
 * Measures blocks until the verdict is known or a limit is reached. Looks at the result after some
 * of the blocks (R6). Returns ST_OK or an exit status.
 */
static int measure(struct experiment *x, const struct runs_options *o, double margin,
		   struct run_look *l)
{
	struct run_limits limits = limits_from_options(o);
	double used = 0;
	int err = ST_OK;

	x->planned = limits.looks ? 0 : limits.blocks;
	for (size_t n = interim_next(0); n && n <= x->blocks && limits.looks; n = interim_next(n))
		/* the part of the level that looks in an earlier process have used */
		used += interim_level(n, used, false);
	while (!err && !x->signal && x->blocks < limits.blocks &&
	       experiment_has_time(x, limits.time_s)) {
		size_t before = x->blocks;
		double alpha;

		err = experiment_block(x, isinf(limits.time_s)
						  ? 0
						  : x->begun + limits.time_s - clock_wall());
		alpha = interim_level(x->blocks, used, false);
		if (err || !limits.looks || x->blocks == before || isnan(alpha) ||
		    x->blocks == limits.blocks)
			continue;
		err = judge_so_far(l, x, o, margin, alpha);
		if (!err && l->judged.settled)
			return ST_OK;
		used += alpha;
	}
	if (!x->blocks)
		return err ? err
		       : x->signal
			       ? 128 + x->signal
			       : error_no_verdict(
					 "no block has ended within '--time': one takes about %.0f "
					 "s",
					 x->block_s);
	if (err && !l->taken)
		return judge_so_far(l, x, o, margin, NAN) ? ST_FAILED : err;
	if (err)
		return err;
	return judge_so_far(l, x, o, margin,
			    x->signal ? NAN : interim_level(x->blocks, used, true));
}

/* ---- the result ---- */

/*
 * Writes to `text` the period from the first to the last run, such as "14:02:10 to 14:12:03 UTC".
 */
static void put_period(const struct experiment *x, char *text, size_t len)
{
	const char *first = result_text(json_array_get(x->runs, 0), "start");
	const char *last =
		result_text(json_array_get(x->runs, json_array_size(x->runs) - 1), "start");

	snprintf(text, len, "%.8s to %.8s UTC", strlen(first) > 11 ? first + 11 : "?",
		 strlen(last) > 11 ? last + 11 : "?");
}

static json_t *summarise_runs(const struct experiment *x, const struct run_look *l,
			      const struct findings *found, double margin, enum rate_unit rates)
{
	json_t *summary = runs_journal_head(x->lines, x->seed), *failed = json_array();

	json_object_del(summary, "schema");
	for (size_t i = 0; i < x->lines->n; i++)
		json_array_append_new(failed, json_integer((json_int_t)x->failed[i]));
	json_object_update_new(summary,
			       json_pack("{s:s, s:I, s:I, s:o, s:f, s:o}", "measure",
					 columns[l->table.measure.id].name, "blocks",
					 (json_int_t)x->blocks, "void", (json_int_t)x->voids,
					 "failed", failed, "margin", margin, "run_spread",
					 runs_spread_json(&l->table, &l->judged)));
	json_object_set_new(summary, "findings", findings_json(found, runs_sentences, rates));
	return summary;
}

/*
 * Describes both sides of the comparison, with the same members as the environment of compare.
 * Returns a new reference.
 */
static json_t *describe_sides(const struct experiment *x)
{
	const json_t *doc = x->results[0].doc;
	const char *start = result_text(json_array_get(x->runs, 0), "start");
	json_t *env = json_pack("{s:s, s:s}", "command", document_command(doc), "definition",
				document_definition(doc));

	if (x->lines->n == 2)
		json_object_update_new(env, json_pack("{s:{s:s, s:s}, s:{s:s, s:s}}", "a", "label",
			x->lines->at[0].label, "start", start, "b", "label", x->lines->at[1].label,
			"start", start));
	return env;
}

static int report_runs(const struct settings *st, const struct experiment *x,
		       const struct run_look *l, double margin, const char *status,
		       struct findings *found)
{
	const char *labels[RUN_LINES];
	struct text title = text_from("netbench %s runs: %s of %s, %zu run%s", NETBENCH_VERSION,
				      columns[l->table.measure.id].name,
				      document_command(x->results[0].doc), x->blocks,
				      x->blocks == 1 ? "" : "s");
	char when[64], *footer;
	struct record rec = {
		.command = "runs",
		.definition = "runs.blocks.v1",
		.options = st->options,
		.warnings = experiment_warnings(x),
		.runs = x->runs,
		.status = status,
		.computed = true,
	};
	int err;

	for (size_t i = 0; i < x->lines->n; i++) {
		labels[i] = x->lines->at[i].label;
		if (x->lines->n > 1)
			text_add(&title, "%s %s = %s", i ? "," : " each,", labels[i],
				 x->lines->at[i].text);
		else
			text_add(&title, " of %s", x->lines->at[i].text);
	}
	for (size_t i = 0; i < x->blocks * x->lines->n; i++) {
		rec.computed &= result_is_computed(x->results[i].doc);
		rec.emulated |= result_is_emulated(x->results[i].doc);
	}
	rec.title = title.s;
	put_period(x, when, sizeof(when));
	runs_findings(&l->table, &l->judged, labels, found);
	footer = runs_footer(&l->table, &l->judged, found, labels, when);
	rec.footer = footer;
	rec.environment = host_collect();
	json_object_update_new(rec.environment, describe_sides(x));
	rec.summary = summarise_runs(x, l, found, margin, (enum rate_unit)st->output.rate_unit);
	err = runs_write(&st->output, &rec, &l->table, &l->judged, labels);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(footer);
	return err;
}

/* Reports and judges the measured blocks. Returns the exit status. */
static int report_and_judge(const struct settings *st, const struct experiment *x,
			    const struct run_look *l, double margin, int err, bool *written)
{
	const char *status = x->signal ? "interrupted" : err ? "failed" : "complete";
	struct findings found = { .n = 0 };
	int shown = report_runs(st, x, l, margin, status, &found);

	*written = !shown;
	if (!err && (shown || x->signal))
		err = shown ? shown : 128 + x->signal;
	else if (!err)
		err = findings_report(&found, runs_sentences, (enum rate_unit)st->output.rate_unit);
	findings_free(&found);
	return err;
}

static int run_runs(const struct settings *st, int n, char **operands)
{
	const struct runs_options *o = st->own;
	struct experiment x = { .blocks = 0 };
	struct run_lines lines = { .n = 0 };
	struct run_look look = { .taken = false };
	bool written = false;
	double margin = 0;
	int err = margin_parse(o->margin, &margin);

	if (!err)
		err = run_lines_read(&lines, n, operands);
	if (!err)
		err = report_check(&st->output);
	if (!err)
		err = experiment_open(&x, &lines, &st->output, o->resume,
				      o->seed == OPT_AUTO ? (uint64_t)time(NULL) : o->seed);
	if (!err && x.signal)
		err = 128 + x.signal;
	if (!err)
		err = measure(&x, o, margin, &look);
	if (look.judged.own)
		err = report_and_judge(st, &x, &look, margin, err, &written);
	free_look(&look);
	experiment_close(&x, written);
	run_lines_free(&lines);
	return err;
}

const struct command cmd_runs = {
	.name = "runs",
	.summary = "command lines run many times: median over runs, or a verdict",
	.operands = "-- command [-- command ...]",
	.takes_dashes = true,
	.options = options,
	.options_size = sizeof(struct runs_options),
	.output = true,
	.run = run_runs,
};
