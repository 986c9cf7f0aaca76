/* SPDX-License-Identifier: Apache-2.0 */
/* Results of commands that compare them by themselves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "cmd/compare/compare.h"
#include "config.h"
#include "result/document.h"
#include "result/reader.h"

/* Rows of pairs would be too many for people. */
static bool wants_rows(const struct output_options *o)
{
	return o->format != FORMAT_TABLE || o->outputs.n;
}

/* What rows go to. */
struct writing {
	struct outlets *report;
	const struct record *rec;
};

static int put_row(void *arg, const struct row *row)
{
	const struct writing *w = arg;

	return report_row(w->report, w->rec, row);
}

static int write_all(const struct settings *st, const struct comparer *by,
		     const struct comparison *c, const struct record *rec)
{
	struct writing w = { .rec = rec };
	int err = report_open(&w.report, &st->output), closed;

	err = err ? err : report_begin(w.report, rec);
	if (!err && wants_rows(&st->output))
		err = by->rows(c, rec, put_row, &w);
	err = err ? err : report_end(w.report, rec);
	closed = report_close(w.report, !err);
	return err ? err : closed;
}

static int report(const struct all *all, const struct comparer *by, const struct comparison *c)
{
	const struct two *two = all->two;
	char title[400], *footer;
	struct record rec = {
		.command = "compare", .title = title, .words = true,
		.definition = "compare.changes.v1",
		.computed = result_is_computed(two->doc[A]) && result_is_computed(two->doc[B]),
		.emulated = result_is_emulated(two->doc[A]) || result_is_emulated(two->doc[B]),
		.cols = c->cols, .ncols = c->ncols, .options = all->st->options,
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
	err = write_all(all->st, by, c, &rec);
	json_decref(rec.environment);
	json_decref(rec.warnings);
	free(footer);
	return err;
}

/* Fails if changes reach a limit; names the largest of them. */
static int judge_limit(const struct comparison *c, enum finding finding, double factor)
{
	const struct change *worst = NULL;
	double most = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->nchanges; i++) {
		double slower = c->change[i].slower, by = finding == SLOWER ? slower : 1 / slower;

		if (by <= 1 || by < factor * (1 - 1e-9))
			continue;
		n++;
		if (by > most) {
			most = by;
			worst = &c->change[i];
		}
	}
	if (!n)
		return ST_OK;
	return error_report("%zu change%s %s by %g %% or more, the worst by %s %%: %s", n,
			    n == 1 ? " is" : "s are", finding_names[finding], (factor - 1) * 100,
			    plain((most - 1) * 100, 4).s, worst->text);
}

static int judge(const struct comparison *c, const struct fail_limits *limits)
{
	bool asked = false;
	int err = ST_OK;

	for (int f = FASTER; f <= SLOWER; f++) {
		asked |= !isnan(limits->factor[f]);
		if (!isnan(limits->factor[f]) &&
		    judge_limit(c, (enum finding)f, limits->factor[f]))
			err = ST_FAILED;
	}
	if (!err && asked && c->no_verdict)
		return error_no_verdict("no verdict: %s", c->no_verdict);
	return err;
}

int compare_own(const struct all *all, const struct comparer *by, const char *measure,
		const struct fail_limits *limits)
{
	const struct two *two = all->two;
	struct comparison c = {
		.doc = { two->doc[A], two->doc[B] }, .path = { two->path[A], two->path[B] },
		.measure = measure, .rates = (enum rate_unit)all->st->output.rate_unit,
	};
	int err;

	if (two->next || all->n > 1)
		return error_usage("results of '%s' are compared two at a time: A and B",
				   document_command(two->doc[A]));
	err = by->make(&c);
	err = err ? err : report(all, by, &c);
	err = err ? err : judge(&c, limits);
	by->free(&c);
	return err;
}
