/* SPDX-License-Identifier: Apache-2.0 */
/* Compares results with one, point by point: the ratio of a measure, its interval, a verdict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/match.h"
#include "analyse/compare/measure.h"
#include "analyse/compare/sums.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/compare/describe.h"
#include "cmd/compare/own.h"
#include "cmd/gate.h"
#include "config.h"
#include "result/document.h"
#include "result/reader.h"
#include "show/compare/rows.h"
#include "show/compare/words.h"

struct compare_options {
	const char *measure, *fail_if;
	bool paired;
	struct texts history;
};

static const struct opt options[] = {
	{ 0, "measure", "column", OPT_TEXT, offsetof(struct compare_options, measure),
	  .help = "what to compare: a column in s, B/s, msg/s, Hz or cycles; by default the "
		  "command's main one" },
	{ 0, "fail-if", "list", OPT_TEXT, offsetof(struct compare_options, fail_if),
	  .help = "exit 1 if a point is found slower or faster by the limit: slower:5%,faster:2 "
		  "(percent, or a factor); exit 4 if nothing can be judged" },
	{ 0, "paired", NULL, OPT_FLAG, offsetof(struct compare_options, paired),
	  .help = "results that were taken in turns, A B A B ...: compare each A with the B after "
		  "it" },
	{ 0, "history", "dir|file", OPT_TEXTS, offsetof(struct compare_options, history),
	  .file = OPT_READ_ON_0,
	  .help = "judge three runs of tonight, or six, against the nights of this history: exit "
		  "1 if they are slower by 5%, or what --fail-if says, and three more are" },
	{ 0 },
};

/* ---- the command line ---- */

/* Reads "slower:5%,faster:2": percentages, or factors from 1 on. ST_OK or ST_USAGE (reported). */
static int parse_limits(const char *fail_if, struct fail_if *fail)
{
	fail->asked = fail_if != NULL;
	for (size_t f = 0; f < NOUTCOMES; f++)
		fail->factor[f] = NAN;
	for (const char *at = fail_if; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		int len = (int)strcspn(at, ","), kind = (int)strcspn(at, ":,"), f = FASTER;
		bool percent = len && at[len - 1] == '%';
		char number[64];
		double factor;

		while (f <= SLOWER && ((int)strlen(outcome_kinds[f]) != kind ||
				       strncmp(at, outcome_kinds[f], (size_t)kind) != 0))
			f++;
		if (f > SLOWER)
			return error_usage("'%.*s' in '--fail-if': expected slower:LIMIT or "
					   "faster:LIMIT", len, at);
		if (!isnan(fail->factor[f]))
			return error_usage("'%s' is given twice in '--fail-if'", outcome_kinds[f]);
		snprintf(number, sizeof(number), "%.*s",
			 len > kind + percent ? len - kind - 1 - percent : 0, at + kind + 1);
		if (scan_real(number, &factor) == V_OK)
			fail->factor[f] = percent ? 1 + factor / 100 : factor;
		if (!(fail->factor[f] >= 1) || !isfinite(fail->factor[f]))
			return error_usage("'%.*s' in '--fail-if' needs a percentage, or a factor "
					   "of 1 or more: %s:5%%", len, at, outcome_kinds[f]);
	}
	return ST_OK;
}

/* ---- the command ---- */

static bool any(const struct compared *all, bool (*is)(const json_t *doc), bool wanted)
{
	for (size_t i = 0; i < all->n; i++)
		for (int side = A; side <= B; side++)
			if (is(all->two[i].doc[side]) == wanted)
				return true;
	return false;
}

static int report_rows(const struct settings *st, const struct compared *all,
		       const struct row_pairs *p, const struct measure *m, const struct sums *sums,
		       const struct findings *found)
{
	const struct two *two = all->two;
	char title[400], more[32] = "", *footer = compare_footer(all, p, sums);
	struct record rec = {
		.command = "compare", .definition = "compare.median-ratio.v2", .title = title,
		.computed = !any(all, result_is_computed, false),
		.emulated = any(all, result_is_emulated, true), .options = st->options,
		.summary = compare_summary(all, p, m, sums), .warnings = json_array(),
		.status = "complete", .footer = footer,
	};
	int err;

	json_object_set_new(rec.summary, "findings", findings_json(found, compare_sentences,
				       (enum rate_unit)st->output.rate_unit));
	if (all->n > 1)
		snprintf(more, sizeof(more), " and %zu more", all->n - 1);
	snprintf(title, sizeof(title), "netbench %s compare: %s of %s, A = %s, B = %s%s",
		 NETBENCH_VERSION, columns[m->id].name, document_command(two->doc[A]),
		 two->path[A], two->path[B], two->next ? ", and those taken later" : more);
	rec.environment = compare_describe(all, p, rec.warnings);
	err = compare_write(&st->output, &rec, all, p, m);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(footer);
	return err;
}

/* Compares what has been read, by rows. */
static int compare_rows(const struct settings *st, const struct compared *all,
		   const struct fail_if *fail)
{
	const struct compare_options *o = st->own;
	struct row_pairs p = { .n = 0 };
	struct findings found = { .n = 0 };
	struct sums *sums = NULL;
	struct measure m;
	int err = measure_choose(all, o->measure, &m);

	if (err)
		return err;
	err = points_match(all, &p);
	if (!err)
		err = points_judge(&m, &p, o->paired);
	if (!err && !(sums = sums_make(all, &p)))
		err = ST_FAILED;
	if (!err)
		err = compared_findings(all, &p, &m, sums, fail, &found);
	if (!err)
		err = report_rows(st, all, &p, &m, sums, &found);
	if (!err)
		err = compare_status(all, &p, sums, &found, fail);
	findings_free(&found);
	sums_free(sums, all);
	points_free(&p);
	return err;
}

/* Judges a night against those of --history. */
static int judge_night(const struct settings *st, int n, char **paths)
{
	const struct compare_options *o = st->own;
	struct fail_if fail;
	int err = parse_limits(o->fail_if, &fail), dashes = n && !strcmp(paths[0], "--");

	return err ? err : gate_run(st, &(struct gate_ask){
		.history = o->history, .fresh = paths + dashes, .n = n - dashes,
		.margin = isnan(fail.factor[SLOWER]) ? 0.05 : fail.factor[SLOWER] - 1,
		.measure = o->measure });
}

static int run_compare(const struct settings *st, int n, char **paths)
{
	const struct compare_options *o = st->own;
	struct fail_if fail;
	struct compared all = { .n = 0 };
	const struct command *cmd;
	int err;

	if (o->history.n)
		return judge_night(st, n, paths);
	if (o->paired && (n < 2 || n % 2))
		return error_usage("expected results in turns, A B A B ...: %d file%s given", n,
				   n == 1 ? "" : "s");
	if (n < 2)
		return error_usage("expected two results or more, A and B: %d file%s given", n,
				   n == 1 ? "" : "s");
	err = parse_limits(o->fail_if, &fail);
	if (err)
		return err;
	all.two = calloc((size_t)n, sizeof(*all.two));
	if (!all.two)
		return error_report("no memory for %d results", n);
	/* A with each B; or with --paired one chain of results */
	all.n = o->paired ? 1 : (size_t)n - 1;
	for (int i = 0; i < n && !err; i++) {
		struct two *t = &all.two[o->paired ? i / 2 : i ? i - 1 : 0];
		int side = o->paired ? i % 2 : i > 0;

		t->next = o->paired && i + 2 < n ? t + 1 : NULL;
		t->path[side] = paths[i];
		if (!o->paired && i > 1) {
			t->path[A] = paths[0];
			t->doc[A] = json_incref(all.two->doc[A]);
		}
		err = result_read(paths[i], &t->doc[side]);
	}
	if (!err)
		err = compared_check(&all);
	cmd = err ? NULL : command_find(document_command(all.two->doc[A]));
	if (!err && o->paired && cmd && cmd->compares)
		err = error_usage("results of '%s' are not compared with '--paired'", cmd->name);
	else if (!err && cmd && cmd->compares)
		err = compare_own(st, &all, cmd->compares, o->measure, &fail);
	else if (!err)
		err = compare_rows(st, &all, &fail);
	for (int i = 0; i < n; i++)
		for (int side = A; side <= B; side++)
			json_decref(all.two[i].doc[side]);
	free(all.two);
	return err;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "results against one, point by point: ratio, interval, verdict",
	.operands = "A B ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct compare_options),
	.output = true,
	.run = run_compare,
};
