/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/compare/own.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/pair.h"
#include "analyse/compare/sums.h"
#include "base/error.h"
#include "base/text.h"
#include "cmd/compare/describe.h"
#include "config.h"
#include "result/document.h"
#include "show/finding.h"

/* The text of a finding is the text of the change. The command's own comparison writes it. */
static const struct sentence sentences[] = {
	{ "faster", { "{text}", NULL, NULL }, NULL },
	{ "slower", { "{text}", NULL, NULL }, NULL },
	{ "difference", { NULL, NULL, "{why}" }, NULL },
	{ NULL, { NULL }, NULL },
};

struct writing {
	const struct settings *st;
	const struct comparer *by;
	const struct comparison *c;
};

/*
 * Writes the rows, but not to a table on standard output, which would get a row for each pair of
 * hosts.
 */
static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct writing *w = arg;
	const struct output_options *o = &w->st->output;

	return o->format == FORMAT_TABLE && !o->outputs.n ? ST_OK : w->by->rows(w->c, r, rec);
}

static int report_changes(const struct compared *all, struct writing *w,
			  const struct findings *found)
{
	const struct comparison *c = w->c;
	const struct two *two = all->two;
	char title[400], *footer;
	struct record rec = {
		.command = "compare", .title = title, .words = true,
		.definition = "compare.changes.v1",
		.computed = result_is_computed(two->doc[A]) && result_is_computed(two->doc[B]),
		.emulated = result_is_emulated(two->doc[A]) || result_is_emulated(two->doc[B]),
		.cols = c->cols, .ncols = c->ncols, .options = w->st->options,
		.summary = c->summary, .warnings = json_array(), .status = "complete",
	};
	int err;

	snprintf(title, sizeof(title), "netbench %s compare: %s, A = %s, B = %s%s",
		 NETBENCH_VERSION, document_command(two->doc[A]), two->path[A], two->path[B],
		 rec.computed ? " (computed)" : "");
	if (asprintf(&footer, "%s\n\n%s", title, c->footer) < 0)
		return error_report("no memory for a comparison");
	rec.footer = footer;
	rec.environment = compare_describe(all, NULL, rec.warnings);
	json_object_set_new(c->summary, "findings", findings_json(found, sentences, c->rates));
	err = report_result(&w->st->output, &rec, put_rows, w);
	json_decref(rec.environment);
	json_decref(rec.warnings);
	free(footer);
	return err;
}

/* Adds a finding for each change. */
static void find_changes(const struct comparison *c, const struct fail_if *fail,
			 struct findings *found)
{
	for (size_t i = 0; i < c->nchanges; i++) {
		double slower = c->change[i].slower;
		enum outcome outcome = slower > 1 ? SLOWER : FASTER;

		findings_add(found, &(struct finding){
			.kind = outcome_kinds[outcome],
			.effect = factor_of_outcome(outcome, slower) - 1,
			.lo = NAN, .hi = NAN, .verdict = VERDICT_YES, .of = i,
			.decides = slower != 1 && fail_if_reached(fail, outcome, slower),
			.evidence = json_pack("{s:o?}", "text", json_string(c->change[i].text)) });
	}
	if (c->no_verdict)
		findings_add(found, &(struct finding){
			.kind = outcome_kinds[NOTHING_FOUND], .effect = NAN, .lo = NAN, .hi = NAN,
			.verdict = VERDICT_CANNOT_TELL, .decides = fail->asked,
			.why = c->no_verdict });
}

int compare_own(const struct settings *st, const struct compared *all, const struct comparer *by,
		const char *measure, const struct fail_if *fail)
{
	const struct two *two = all->two;
	struct comparison c = {
		.doc = { two->doc[A], two->doc[B] }, .path = { two->path[A], two->path[B] },
		.measure = measure, .rates = (enum rate_unit)st->output.rate_unit,
	};
	struct writing w = { .st = st, .by = by, .c = &c };
	struct findings found = { .n = 0 };
	size_t n;
	int err;

	if (two->next || all->n > 1)
		return error_usage("results of '%s' are compared two at a time: A and B",
				   document_command(two->doc[A]));
	err = by->make(&c);
	if (!err) {
		find_changes(&c, fail, &found);
		err = report_changes(all, &w, &found);
	}
	for (enum outcome o = FASTER; o <= SLOWER && !err; o++) {
		const struct finding *worst = findings_worst(&found, outcome_kinds[o], &n);

		if (worst)
			error_report("%zu change%s %s by %g %% or more, the worst by %s %%: %s", n,
				     n == 1 ? " is" : "s are", outcome_names[o],
				     (fail->factor[o] - 1) * 100, plain(worst->effect * 100, 4).s,
				     c.change[worst->of].text);
	}
	if (!err && findings_status(&found) == ST_NO_VERDICT)
		err = error_no_verdict("no verdict: %s", c.no_verdict);
	else if (!err)
		err = findings_status(&found);
	findings_free(&found);
	by->free(&c);
	return err;
}
