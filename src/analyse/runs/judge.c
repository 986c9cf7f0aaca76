/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/runs/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"

const char *const run_outcome_names[] = { "", "faster", "slower", "same", "no difference seen" };

/* ---- the runs of one command ---- */

/*
 * Judges the runs of one command at a point. y contains the logarithms of their costs, in the order
 * of the runs and without NaN; it is sorted afterwards.
 */
static void judge_runs_of_command(const struct run_table *t, double *y, size_t n,
				  struct run_point *out)
{
	struct run_spread spread = run_spread(y, n);
	struct run_median m = run_median(y, n);	/* sorts y */

	*out = (struct run_point){ n, NAN, NAN, NAN, spread, NAN, m.depends };
	if (!n)
		return;
	if (n > 1)
		out->visible = visible_slowdown(spread, n);
	out->median = run_table_value(t, m.middle);
	out->lo = run_table_value(t, t->measure.rate ? m.hi : m.lo);
	out->hi = run_table_value(t, t->measure.rate ? m.lo : m.hi);
}

/* Judges each command by itself, at all points. */
static void judge_all_commands(const struct run_table *t, double *room, struct runs_judged *j)
{
	for (size_t c = 0; c < j->ask.commands; c++)
		for (size_t p = 0; p < t->points; p++) {
			const double *y = t->y + p * t->results + c;
			size_t n = 0;

			for (size_t b = 0; b < j->ask.blocks; b++)
				if (!isnan(y[b * j->ask.commands]))
					room[n++] = y[b * j->ask.commands];
			judge_runs_of_command(t, room, n, &j->own[c * t->points + p]);
		}
}

/* True if the intervals of command 0 at all points are within the margin around the median. */
static bool intervals_are_narrow(const struct run_table *t, const struct runs_judged *j)
{
	double most = 1 + j->ask.margin;

	for (const struct run_point *p = j->own; p < j->own + t->points; p++)
		if (!(p->hi <= p->median * most && p->median <= p->lo * most))
			return false;
	return true;
}

/* ---- blocks ---- */

/* Compares a command with command 0. `d` is working memory for the differences. */
static void compare_with_first(const struct run_table *t, size_t command, double *d,
			       struct runs_judged *j)
{
	size_t commands = j->ask.commands, blocks = j->ask.blocks;
	struct run_blocks all = { t->points, blocks, d };
	struct paired_point *out = j->pair + (command - 1) * t->points;

	for (size_t p = 0; p < t->points; p++)
		for (size_t b = 0; b < blocks; b++) {
			const double *y = t->y + p * t->results + b * commands;

			d[p * blocks + b] = y[command] - y[0];
		}
	j->verdict[command - 1] =
		(enum paired_verdict)paired_judge(&all, j->ask.margin, j->alpha, out);
	j->needed[command - 1] = paired_needed(&all, j->ask.margin, out);
}

int runs_judge(const struct run_table *t, const struct runs_question *ask, struct runs_judged *j)
{
	size_t pairs = ask->commands - 1;
	double *room = memory_new((t->points + 1) * ask->blocks, sizeof(*room));

	*j = (struct runs_judged){
		.ask = *ask,
		.own = memory_new(ask->commands * t->points, sizeof(*j->own)),
		.pair = memory_new(pairs * t->points, sizeof(*j->pair)),
		.verdict = memory_new(pairs, sizeof(*j->verdict)),
		.needed = memory_new(pairs, sizeof(*j->needed)),
		.alpha = pairs ? ask->alpha / (double)pairs : ask->alpha,
	};
	judge_all_commands(t, room, j);
	j->settled = pairs || intervals_are_narrow(t, j);
	for (size_t c = 1; c < ask->commands; c++) {
		compare_with_first(t, c, room, j);
		j->settled &= j->verdict[c - 1] != PAIRED_CANNOT_TELL;
	}
	free(room);
	return ST_OK;
}

void runs_judged_free(struct runs_judged *j)
{
	free(j->own);
	free(j->pair);
	free(j->verdict);
	free(j->needed);
	*j = (struct runs_judged){ .own = NULL };
}

/* ---- findings ---- */

enum run_outcome run_outcome(const struct runs_judged *j, const struct paired_point *p)
{
	double most = 1 + j->ask.margin;

	if (isnan(j->alpha) || isnan(p->lo))
		return RUN_UNKNOWN;
	if (p->p <= j->alpha)
		return p->effect > 0 ? RUN_SLOWER : RUN_FASTER;
	return p->lo >= 1 / most && p->hi <= most ? RUN_SAME : RUN_NO_DIFFERENCE;
}

/* Number of points at which a command is slower than A by more than the margin. */
static size_t count_worse(const struct runs_judged *j, const struct paired_point *p, size_t n)
{
	size_t worse = 0;

	for (size_t i = 0; i < n; i++)
		worse += p[i].p_worse <= j->alpha / 2;
	return worse;
}

/* The reason why a command has no verdict. */
static struct text explain_lack(const struct runs_judged *j, size_t needed)
{
	size_t have = j->ask.blocks;

	if (have < FEWEST_BLOCKS)
		return text_from("%zu block%s, of %d that are needed", have, have == 1 ? "" : "s",
				 FEWEST_BLOCKS);
	if (isnan(j->alpha))
		return text_from("the run was interrupted");
	if (needed == (size_t)-1)
		return text_from("more than %zu blocks are needed", 9 * have);
	if (needed > have)
		return text_from("about %zu more blocks", needed - have);
	return text_from("a few more blocks");
}

/* Adds a finding on a command at a point; i is an index into j->pair. */
static void add_point_finding(const struct run_table *t, const struct runs_judged *j, size_t i,
			      const char *label, struct findings *found)
{
	static const char *const kinds[] = { "difference", "faster", "slower", "same",
					     "difference" };
	const struct paired_point *p = &j->pair[i];
	enum run_outcome outcome = run_outcome(j, p);
	bool faster = outcome == RUN_FASTER;
	char name[256];

	findings_add(found, &(struct finding){
		.kind = kinds[outcome], .quantity = columns[t->measure.id].name,
		.subject = run_table_name(t, i % t->points, name, sizeof(name)),
		.effect = (faster ? 1 / p->ratio : p->ratio) - 1,
		.lo = (faster ? 1 / p->hi : p->lo) - 1, .hi = (faster ? 1 / p->lo : p->hi) - 1,
		.verdict = outcome == RUN_UNKNOWN ? VERDICT_CANNOT_TELL
			   : outcome == RUN_NO_DIFFERENCE ? VERDICT_NO : VERDICT_YES,
		.why = outcome == RUN_UNKNOWN ? "too few blocks" : "", .of = i,
		.evidence = json_pack("{s:s, s:o, s:o}", "command", label, "p_value",
				      real_or_null(p->p), "p_worse", real_or_null(p->p_worse)) });
}

void runs_findings(const struct run_table *t, const struct runs_judged *j,
		   const char *const *labels, struct findings *found)
{
	static const enum verdict verdicts[] = { VERDICT_YES, VERDICT_NO, VERDICT_CANNOT_TELL };

	for (size_t c = 1; c < j->ask.commands; c++) {
		const struct paired_point *of = j->pair + (c - 1) * t->points;
		enum paired_verdict verdict = isnan(j->alpha) ? PAIRED_CANNOT_TELL
							      : j->verdict[c - 1];
		struct text why = explain_lack(j, j->needed[c - 1]);

		findings_add(found, &(struct finding){
			.kind = "margin", .subject = labels[c],
			.quantity = columns[t->measure.id].name,
			.effect = NAN, .lo = NAN, .hi = NAN, .verdict = verdicts[verdict],
			.decides = true, .why = verdict == PAIRED_CANNOT_TELL ? why.s : "",
			.of = c,
			.evidence = json_pack("{s:s, s:f, s:I, s:I}", "than", labels[0],
				"margin_percent", 100 * j->ask.margin, "points",
				(json_int_t)count_worse(j, of, t->points), "blocks",
				(json_int_t)j->ask.blocks) });
		for (size_t p = 0; p < t->points; p++)
			add_point_finding(t, j, (c - 1) * t->points + p, labels[c], found);
	}
}
