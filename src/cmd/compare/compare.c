/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares results with a baseline, point by point. Reports for each point the ratio of a measure,
 * the ratio's interval and a verdict.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/match.h"
#include "analyse/compare/sums.h"
#include "analyse/compare/together.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/compare/describe.h"
#include "cmd/compare/operands.h"
#include "cmd/compare/own.h"
#include "cmd/gate.h"
#include "config.h"
#include "result/document.h"
#include "show/compare.h"

struct compare_options {
	const char *measure, *fail_if, *spread;
	bool paired;
	struct texts history;
};

static const struct opt options[] = {
	{ 0, "measure", "column", OPT_TEXT, offsetof(struct compare_options, measure),
	  .help = "what to compare: a column in s, B/s, msg/s, Hz or cycles; by default the "
		  "command's main one" },
	{ 0, "fail-if", "list", OPT_TEXT, offsetof(struct compare_options, fail_if),
	  .help = "exit 1 if a point is slower or faster by the limit: slower:5%,faster:2 "
		  "(percent, or a factor); exit 0 if no point is; exit 4 if the results cannot "
		  "decide it" },
	{ 0, "paired", NULL, OPT_FLAG, offsetof(struct compare_options, paired),
	  .help = "the results alternate, A B A B ...: compare each A with the next B" },
	{ 0, "spread", "file", OPT_TEXT, offsetof(struct compare_options, spread),
	  .file = OPT_READ,
	  .help = "a result of 'netbench runs' of one command, which shows how much runs differ: "
		  "it allows a verdict on single results" },
	{ 0, "history", "dir|file", OPT_TEXTS, offsetof(struct compare_options, history),
	  .file = OPT_READ_ON_0,
	  .help = "judge three or six runs of tonight against the nights of this history: exit 1 "
		  "if the first three and then three more are slower by 5%, or by the limit of "
		  "--fail-if" },
	{ 0 },
};

/* ---- the command line ---- */

/*
 * Parses limits such as "slower:5%,faster:2". A limit is a percentage, or a factor of at least 1.
 * Returns ST_OK or ST_USAGE (reported).
 */
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

static bool any_result(const struct compared *all, bool (*is)(const json_t *doc), bool wanted)
{
	for (size_t i = 0; i < all->n; i++)
		for (const struct two *t = &all->two[i]; t; t = t->next)
			for (int side = A; side <= B; side++)
				if (t->doc[side] && is(t->doc[side]) == wanted)
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
		.command = "compare", .definition = "compare.median-ratio.v3", .title = title,
		.computed = !any_result(all, result_is_computed, false),
		.emulated = any_result(all, result_is_emulated, true), .options = st->options,
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
		 two->path[A], two->path[B], two->next ? ", and the other runs of both" : more);
	rec.environment = compare_describe(all, p, rec.warnings);
	err = compare_write(&st->output, &rec, all, p, m);
	json_decref(rec.environment);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(footer);
	return err;
}

/* Writes the judged points. Returns the exit status. */
static int judge_and_report(const struct settings *st, const struct compared *all,
			    const struct row_pairs *p, const struct measure *m,
			    const struct fail_if *fail)
{
	struct sums *sums = sums_compute(all, p);
	struct findings found = { .n = 0 };
	int err;

	compared_findings(all, p, m, sums, &found);
	err = report_rows(st, all, p, m, sums, &found);
	if (!err)
		err = compare_status(all, p, sums, &found, fail);
	findings_free(&found);
	sums_free(sums, all);
	return err;
}

/* Compares results that have one run each. Returns the exit status. */
static int compare_each(const struct settings *st, const struct compared *all,
			const struct fail_if *fail)
{
	const struct compare_options *o = st->own;
	struct row_pairs p = { .n = 0 };
	json_t *spread = NULL;
	struct measure m;
	/*
	 * A spread replaces the intervals of single results. The measure is then chosen without
	 * these intervals, as 'netbench runs' does.
	 */
	int err = measure_choose(all, o->measure, !o->spread, &m);

	if (!err && o->spread)
		err = spread_read(o->spread, &m, &spread);
	if (!err) {
		points_match(all, &p);
		points_judge(&(struct judge_by){ &m, fail, spread }, &p);
		err = judge_and_report(st, all, &p, &m, fail);
	}
	points_free(&p);
	json_decref(spread);
	return err;
}

/* Compares several runs of A with several of B. Returns the exit status. */
static int compare_several_runs(const struct settings *st, const struct compared *all,
				const struct fail_if *fail)
{
	const struct compare_options *o = st->own;
	struct run_table t;
	int err = run_table_make(&t, all, o->measure);

	if (!err && o->spread)
		err = error_usage("'--spread' is only for results of one run each");
	if (!err)
		(all->as == IN_TURNS ? points_judge_blocks : points_judge_groups)(&t, fail);
	if (!err)
		err = judge_and_report(st, all, &t.pairs, &t.measure, fail);
	run_table_free(&t);
	return err;
}

/* Compares tonight's runs with the nights of --history and judges them. Returns the exit status. */
static int judge_night(const struct settings *st, int n, char **paths)
{
	const struct compare_options *o = st->own;
	struct fail_if fail;
	int err = parse_limits(o->fail_if, &fail), dashes = n && !strcmp(paths[0], "--");

	return err ? err : gate_run(st, &(struct gate_request){
		.history = o->history, .fresh = paths + dashes, .n = n - dashes,
		.margin = isnan(fail.factor[SLOWER]) ? 0.05 : fail.factor[SLOWER] - 1,
		.measure = o->measure });
}

static int run_compare(const struct settings *st, int n, char **operands)
{
	const struct compare_options *o = st->own;
	struct fail_if fail;
	struct operands_read in = { .n = 0 };
	struct compared all = { .n = 0 };
	const struct command *cmd;
	int err = parse_limits(o->fail_if, &fail);

	if (!err && o->history.n)
		return judge_night(st, n, operands);
	if (!err)
		err = operands_read(&in, n, operands);
	if (!err)
		err = operands_arrange(&in, o->paired, &all);
	if (!err)
		err = check_comparable(&all);
	cmd = err ? NULL : command_find(document_command(all.two->doc[A]));
	if (!err && o->paired && cmd && cmd->compares)
		err = error_usage("results of '%s' are not compared with '--paired'", cmd->name);
	else if (!err && all.as == IN_GROUPS && cmd && cmd->compares)
		err = error_usage("results of '%s' are compared two at a time: A and B", cmd->name);
	else if (!err && o->spread && cmd && cmd->compares)
		err = error_usage("results of '%s' are not compared with '--spread'", cmd->name);
	else if (!err && cmd && cmd->compares)
		err = compare_own(st, &all, cmd->compares, o->measure, &fail);
	else if (!err && all.as == EACH)
		err = compare_each(st, &all, &fail);
	else if (!err)
		err = compare_several_runs(st, &all, &fail);
	free(all.two);
	operands_free(&in);
	return err;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "results against a baseline: ratio, interval, verdict",
	.operands = "A B ...",
	.reads_operands = true,
	.takes_dashes = true,
	.options = options,
	.lead = "fail-if spread measure history output",
	.options_size = sizeof(struct compare_options),
	.output = true,
	.run = run_compare,
};
