/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/collective/guidelines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/guidelines.h"
#include "base/error.h"
#include "cmd/collective/plan.h"
#include "config.h"
#include "host/record.h"
#include "measure/result.h"
#include "measure/sink/sink.h"
#include "result/reader.h"
#include "show/guidelines.h"

/* ---- rows of this run ---- */

static double cell_number(const struct row *row, const struct record *rec, enum column_id id)
{
	struct value v = row_get(row, rec, id);

	return v.kind == VAL_REAL ? v.r : v.kind == VAL_UINT ? (double)v.u : NAN;
}

static const char *cell_text(const struct row *row, const struct record *rec, enum column_id id)
{
	struct value v = row_get(row, rec, id);

	return v.kind == VAL_TEXT ? v.t : "";
}

void keep_guideline_row(struct session *s, const struct result *res, const struct row *row)
{
	const struct record *rec = &s->sink->record;
	const struct series *medians = &s->sink->samples.medians;
	double behind = cell_number(row, rec, COL_BEHIND_BARRIER);
	struct guideline_row one = {
		.operation = cell_text(row, rec, COL_OPERATION),
		.algorithm = cell_text(row, rec, COL_ALGORITHM),
		.root = cell_text(row, rec, COL_ROOT),
		.ranks = (uint64_t)cell_number(row, rec, COL_RANKS), .size = res->spec->size,
		.behind_barrier = behind > 0,
		.time_s = behind > 0 ? behind : cell_number(row, rec, COL_COLLECTIVE),
		.dropped = res->dropped,
	};

	if (res->errors)	/* the time of a wrong result is no time of the operation */
		return;
	if (!s->own)
		s->own = calloc(1, sizeof(struct guideline_rows));
	if (!s->own || guideline_visits(medians, res->visit_end, res->visits, &one.visits))
		session_abort(s, error_report("no memory for the rows of '--guidelines'"));
	if (guideline_rows_add(s->own, &one))
		session_abort(s, ST_FAILED);
}

/* ---- judging ---- */

/* What was found about a list of rows. */
struct judgement_of_rows {
	struct findings found;
	struct quickest *quickest;
	size_t nquickest;
	char *words;		/* lines under the table */
};

/* Judges rows. Returns ST_OK or ST_FAILED (reported). Free with free_judgement in both cases. */
static int judge_rows(const struct guideline_rows *rows, bool decides,
		      struct judgement_of_rows *j)
{
	int err = guidelines_judge(rows, decides, &j->found);

	j->quickest = guidelines_quickest(rows, &j->nquickest);
	if (err || !j->quickest)
		return ST_FAILED;
	j->words = guideline_words(&j->found, j->quickest, j->nquickest);
	return j->words ? ST_OK : error_report("no memory for %zu findings", j->found.n);
}

static void put_summary(json_t *summary, const struct judgement_of_rows *j)
{
	json_object_set_new(summary, "findings",
			    findings_json(&j->found, guideline_sentences, RATE_BYTE));
	json_object_set_new(summary, "quickest", quickest_json(j->quickest, j->nquickest));
}

static void free_judgement(struct judgement_of_rows *j)
{
	findings_free(&j->found);
	free(j->quickest);
	free(j->words);
}

/* Reports why the findings fail the run. Returns the exit status. */
static int report_status(const struct findings *found)
{
	size_t count[NVERDICTS] = { 0 }, n;
	const struct finding *worst = findings_worst(found, "guideline", &n);
	char *words = worst ? finding_words(worst, guideline_sentences, RATE_BYTE) : NULL;
	bool decides = found->n && found->at[0].decides;

	findings_count(found, count);
	if (worst)
		error_report("'--fail-if guideline': %s%s", words ? words : "",
			     n > 1 ? ", and more" : "");
	else if (decides && count[VERDICT_CANNOT_TELL])
		error_no_verdict("'--fail-if guideline': %zu of %zu guidelines were not judged",
				 count[VERDICT_CANNOT_TELL], found->n);
	free(words);
	return findings_status(found);
}

/* Returns the exit status of --fail-if for findings. No guideline at all is no verdict. */
static int conclude_findings(const struct collective_options *o, const struct findings *found)
{
	if (o->fail_if && !found->n)
		return error_no_verdict("'--fail-if guideline': no row has an alternative");
	return report_status(found);
}

int conclude_guidelines(struct session *s)
{
	const struct collective_options *o = s->settings->own;
	struct guideline_rows *rows = s->own, none = { .n = 0 };
	struct judgement_of_rows j = { .words = NULL };
	int err = ST_OK;

	if (!o->guidelines)
		return ST_OK;
	s->own = NULL;
	if (!rows)
		rows = &none;
	rows->exact = s->ep->caps & CAP_VIRTUAL;
	rows->of_mpi = !strcmp(s->ep->be->name, "mpi");
	err = judge_rows(rows, o->fail_if != NULL, &j);
	if (!err) {
		put_summary(s->sink->record.summary, &j);
		sink_add_footer(s, "%s", j.words);
		err = conclude_findings(o, &j.found);
	}
	free_judgement(&j);
	guideline_rows_free(rows);
	if (rows != &none)
		free(rows);
	return err;
}

/* ---- rows of a result ---- */

/* A result and what was found about its rows. */
struct judged_result {
	const json_t *doc;
	const struct judgement_of_rows *found;
};

/*
 * Writes the rows of the result `arg` again. Only then sets the summary, because it is written
 * after every row.
 */
static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct judged_result *judged = arg;
	const json_t *from;
	size_t i;
	int err;

	json_array_foreach(document_rows(judged->doc), i, from) {
		struct row row = { .samples = row_samples(from) };

		for (size_t k = 0; k < rec->ncols; k++)
			row_put(&row, rec, rec->cols[k], row_value(from, rec->cols[k]));
		err = report_row(r, rec, &row);
		if (err)
			return err;
	}
	put_summary(rec->summary, judged->found);
	return ST_OK;
}

/* Writes the rows of the result and what was found. Returns ST_OK or ST_* (reported). */
static int write_judged(const struct settings *st, json_t *doc, const char *path,
			const struct judgement_of_rows *j)
{
	const struct columns *cols = &command_find("collective")->bench->columns;
	json_t *here = host_collect(), *asked = json_copy(document_options(doc));
	json_t *env = json_deep_copy(document_environment(doc));
	struct record rec = {
		.command = "collective", .definition = document_definition(doc),
		.computed = result_is_computed(doc), .emulated = result_is_emulated(doc),
		.cols = cols->id, .ncols = cols->n, .ntable = cols->ntable,
		.narrow = cols->narrow, .nnarrow = cols->nnarrow, .words = true,
		.options = asked, .environment = env, .summary = json_copy(document_summary(doc)),
		.warnings = json_incref(document_warnings(doc)), .status = document_status(doc),
	};
	char title[512], *footer;
	int err;

	json_object_update_new(asked, json_pack("{s:s}", "from", path));
	json_object_set_new(env, "reevaluation",
			    json_pack("{s:s, s:O, s:O}", "file", path, "netbench",
				      json_object_get(here, "netbench"), "time",
				      json_object_get(here, "time")));
	snprintf(title, sizeof(title), "netbench %s collective: guidelines judged from '%s'",
		 NETBENCH_VERSION, path);
	rec.title = title;
	rec.footer = footer = asprintf(&footer, "%s\n%s", title, j->words) < 0 ? NULL : footer;
	json_object_del(rec.summary, "findings");
	err = report_result(&st->output, &rec, put_rows, &(struct judged_result){ doc, j });
	free(footer);
	json_decref(here);
	json_decref(asked);
	json_decref(env);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	return err;
}

static int run_from(const struct settings *st)
{
	const struct collective_options *o = st->own;
	struct judgement_of_rows j = { .words = NULL };
	struct guideline_rows rows = { .n = 0 };
	json_t *doc = NULL;
	int err = report_check(&st->output);

	if (!err)
		err = collective_check_fail_if(o);
	if (!err)
		err = result_read(o->from, &doc);
	if (!err && strcmp(document_command(doc), "collective") != 0)
		err = error_usage("'%s' is a result of %s, not of collective", o->from,
				  document_command(doc));
	if (!err)
		err = guideline_rows_read(&rows, doc);
	if (!err)
		err = judge_rows(&rows, o->fail_if != NULL, &j);
	if (!err)
		err = write_judged(st, doc, o->from, &j);
	if (!err)
		err = conclude_findings(o, &j.found);
	free_judgement(&j);
	guideline_rows_free(&rows);
	json_decref(doc);
	return err;
}

static const struct opt options[] = { COLLECTIVE_JUDGING_OPTIONS, { 0 } };

const struct mode collective_from = {
	.by = { "from" },
	.summary = "judge the performance guidelines of a result of collective",
	.options = options,
	.options_size = sizeof(struct collective_options),
	.run = run_from,
};
