/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beff --from: a result with samples is evaluated again, by any rule that its samples serve. The
 * benchmark's own functions make rows, summary and footer, so that they are those that a measured
 * run by that rule would have had.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/beff/beff.h"
#include "cmd/beff/hlrs.h"
#include "config.h"
#include "base/error.h"
#include "host/record.h"
#include "measure/sink/sink.h"
#include "result/document.h"
#include "result/reader.h"

#define MOST_RANKS (1 << 20)
#define MOST_COUNT 0x1p53

static const struct opt options[] = {
	{ 0, "from", "file", OPT_TEXT, offsetof(struct beff_options, from),
	  .file = OPT_READ,
	  .help = "the result that is evaluated again; JSON, measured with --samples" },
	{ 0, "rule", "name", OPT_CHOICE, offsetof(struct beff_options, rule), .def = "netbench",
	  .choices = beff_rules,
	  .help = "the rule: netbench and hpcc-fpga take results of either of the two, hlrs those "
		  "of its own" },
	{ 0 },
};

/* A row's size and what its samples say. */
struct measured {
	struct spec spec;
	struct result res;
};

struct again {
	const struct settings *st;
	const struct beff_options *o;
	json_t *doc;
	bool is_hlrs;			/* the rule asked for */
	int ranks;
	struct measured *rows;		/* of a ring */
	size_t n;
	struct beff_sum sum;		/* of a ring */
	struct hlrs hlrs;		/* by rule hlrs */
	struct record record;
	char title[512], definition[48];
};

/* ---- reading ---- */

/* Whether the rule can be applied to what was measured. */
static int check_rule(const struct again *a)
{
	const json_t *doc = a->doc;
	const char *definition = document_definition(doc);
	bool hlrs = !strncmp(definition, "beff.hlrs.", strlen("beff.hlrs."));

	if (strcmp(document_command(doc), "beff") != 0 ||
	    (!hlrs && strncmp(definition, "beff.ring.", 10) != 0))
		return error_usage("'%s' is not a result of 'netbench beff'", a->o->from);
	if (hlrs && !a->is_hlrs)
		return error_usage("'%s' was measured by rule 'hlrs': for rule '%s' measure "
				   "again with 'netbench beff --samples'", a->o->from,
				   beff_rules[a->o->rule]);
	if (!hlrs && a->is_hlrs)
		return error_usage("'%s' has one ring, rule 'hlrs' needs more: measure again "
				   "with 'netbench beff --rule hlrs --samples'", a->o->from);
	return ST_OK;
}

/* A whole number of a row; 0 if it has none. */
static uint64_t count_of(const json_t *row, const char *name)
{
	double v = result_number(row, name);

	return v > 0 && v <= MOST_COUNT ? (uint64_t)v : 0;
}

/* A rank's time in a repetition; 0 if it was not timed, NaN if there is none. */
static double sample(const json_t *repetitions, size_t i, int rank)
{
	const json_t *ranks = json_array_get(repetitions, i),
		     *v = json_array_get(ranks, (size_t)rank);

	if (json_is_null(v))
		return 0;
	return json_is_number(v) && json_number_value(v) > 0 ? json_number_value(v) : NAN;
}

/* Whether a visit ends with the first `done` of n repetitions; `ends` is NULL if there was one. */
static bool ends_visit(const json_t *ends, size_t visits, size_t done, size_t n)
{
	json_int_t end = json_integer_value(json_array_get(ends, visits));

	return done == n || (json_int_t)done == end;
}

/*
 * Each repetition's slowest rank, and the slowest of the ranks' own best of the first ones. 0, or
 * -1 if a sample is none or without memory.
 */
static int take_times(struct result *res, const json_t *repetitions, const json_t *visit_end,
		      int ranks)
{
	size_t n = json_array_size(repetitions);

	for (size_t i = 0; i < n; i++) {
		double slowest = 0;

		if (json_array_size(json_array_get(repetitions, i)) != (size_t)ranks)
			return -1;
		for (int r = 0; r < ranks; r++) {
			double t = sample(repetitions, i, r);

			if (isnan(t))
				return -1;
			slowest = fmax(slowest, t);
		}
		if (!(slowest > 0) || series_push(&res->times, slowest))
			return -1;
		if (ends_visit(visit_end, res->visits, i + 1, n) && result_end_visit(res))
			return -1;
	}
	for (int r = 0; r < ranks; r++) {
		double best = INFINITY;

		for (size_t i = 0; i < n && i < BEST_OF; i++)
			best = fmin(best, sample(repetitions, i, r));
		res->rank_best_s = fmax(res->rank_best_s, best);
	}
	res->time = summarise_visits(&res->times, res->visit_end, res->visits);
	return res->time.n ? 0 : -1;
}

static int take_row(struct measured *m, const json_t *row, int ranks, const char *path)
{
	const json_t *samples = row_samples(row);
	const json_t *repetitions = json_object_get(samples, "rank_time_s");
	struct result *res = &m->res;
	int stop = STOP_SIGNAL;

	if (!repetitions)
		return error_usage(
			"'%s' has no samples: they are kept with 'netbench beff --samples'", path);
	while (stop > STOP_NOT && strcmp(stop_names[stop], row_text(row, COL_STOP)) != 0)
		stop--;
	m->spec.size = count_of(row, "size_B");
	*res = (struct result){ .spec = &m->spec,
				.loops = count_of(row, "loops"),
				.stop = (enum stop)stop,
				.checked = count_of(row, "checked"),
				.errors = count_of(row, "errors"),
				.late = count_of(row, "late") };
	if (!res->loops ||
	    take_times(res, repetitions, json_object_get(samples, "visit_end"), ranks))
		return error_usage("'%s' has samples at size %llu that are not times of %d ranks",
				   path, (unsigned long long)m->spec.size, ranks);
	return ST_OK;
}

static int take_rows(struct again *a, const json_t *rows)
{
	double step = result_number(a->doc, "environment.timer.resolution_s");
	const json_t *row;
	size_t i;
	int err = ST_OK;

	a->rows = calloc(json_array_size(rows) + 1, sizeof(*a->rows));
	if (!a->rows)
		return error_report("no memory for %zu rows", json_array_size(rows));
	json_array_foreach(rows, i, row) {
		struct measured *m = &a->rows[a->n++];

		err = take_row(m, row, a->ranks, a->o->from);
		if (err)
			break;
		if (step > 0)
			summary_widen(&m->res.time, step);
	}
	return err;
}

static int take(struct again *a)
{
	const json_t *rows = document_rows(a->doc);
	double ranks = result_number(a->doc, "environment.nranks");
	int err;

	if (!(ranks >= 1 && ranks <= MOST_RANKS))
		return error_usage("'%s' lacks its number of ranks", a->o->from);
	a->ranks = (int)ranks;
	if (!a->is_hlrs) {
		a->sum =
			(struct beff_sum){ .rule = (enum beff_rule)a->o->rule,
					   .ranks = a->ranks,
					   .upper = count_of(a->doc, "summary.b_eff_upper_loops") };
		return take_rows(a, rows);
	}
	err = hlrs_make(&a->hlrs, a->ranks, 1, hlrs_count_sizes(rows));
	return err ? err : hlrs_take(&a->hlrs, rows, a->o->from);
}

/* ---- the record ---- */

/* The run's own environment, and beside it who has evaluated what. New reference. */
static json_t *describe(const struct again *a)
{
	json_t *env = json_deep_copy(document_environment(a->doc)),
	       *here = host_collect();

	json_object_set_new(env, "reevaluation",
			    json_pack("{s:s, s:s, s:s, s:s, s:s, s:O, s:O}", "file", a->o->from,
				      "rule", beff_rules[a->o->rule], "measured",
				      result_text(a->doc, "environment.time.start"),
				      "measured_by_version",
				      result_text(a->doc, "environment.netbench.version"),
				      "measured_under_rule", result_text(a->doc, "options.rule"),
				      "netbench", json_object_get(here, "netbench"), "time",
				      json_object_get(here, "time")));
	json_decref(here);
	return env;
}

/* What the run's summary says that is not of a rule. New reference. */
static json_t *begin_summary(const json_t *doc)
{
	json_t *summary = json_copy(document_summary(doc)), *v;
	const char *name;
	void *next;

	if (!json_is_object(summary)) {
		json_decref(summary);
		return json_object();
	}
	json_object_del(summary, "prediction");
	json_object_foreach_safe(summary, next, name, v)
		if (!strncmp(name, "b_eff", 5))
			json_object_del(summary, name);
	return summary;
}

static void begin_record(struct again *a)
{
	const struct columns *cols = a->is_hlrs ? hlrs_columns : beff_columns;
	const char *how = strchr(document_definition(a->doc), '+');
	bool hpcc = a->o->rule == RULE_HPCC_FPGA;
	json_t *warnings = json_copy(document_warnings(a->doc)), *asked;

	if (!json_is_array(warnings)) {
		json_decref(warnings);
		warnings = json_array();
	}
	asked = json_copy(document_options(a->doc));
	json_object_set_new(asked, "rule", json_string(beff_rules[a->o->rule]));
	json_object_set_new(asked, "from", json_string(a->o->from));
	snprintf(a->title, sizeof(a->title),
		 "netbench %s beff: '%s' evaluated again by rule %s; %d rank%s on %s, measured %s "
		 "by netbench %s under rule %s",
		 NETBENCH_VERSION, a->o->from, beff_rules[a->o->rule], a->ranks,
		 a->ranks == 1 ? "" : "s", result_text(a->doc, "environment.backend.name"),
		 result_text(a->doc, "environment.time.start"),
		 result_text(a->doc, "environment.netbench.version"),
		 result_text(a->doc, "options.rule"));
	/* how it was verified, if times depend on that */
	snprintf(a->definition, sizeof(a->definition), "%s%s",
		 a->is_hlrs ? "beff.hlrs.v1" : hpcc ? "beff.ring.hpcc-fpga.v2" : "beff.ring.v2",
		 how ? how : "");
	a->record = (struct record){
		.command = "beff", .title = a->title,
		.definition = a->definition,
		.computed = result_is_computed(a->doc), .emulated = result_is_emulated(a->doc),
		.cols = cols->id, .heads = cols->heads, .ncols = cols->n, .ntable = cols->ntable,
		.nplain = cols->nplain, .score = cols->score,
		.options = asked, .environment = describe(a), .summary = begin_summary(a->doc),
		.warnings = warnings, .status = "incomplete",
	};
}

/* Summary, status, and the lines under the table, which the caller frees. */
static char *end_record(struct again *a)
{
	const char *status = document_status(a->doc);
	enum rate_unit rates = (enum rate_unit)a->st->output.rate_unit;
	char *text = a->is_hlrs ? hlrs_conclude(&a->hlrs, a->record.summary, rates)
				: beff_conclude(&a->sum, a->record.summary, rates);
	char *both = NULL;

	a->record.status = *status ? status : "incomplete";
	if (text && strcmp(a->record.status, "complete") != 0 &&
	    asprintf(&both, "%s\nthe run was %s", text, a->record.status) >= 0) {
		free(text);
		text = both;
	}
	a->record.footer = text;
	return text;
}

/* ---- writing ---- */

static int ring_rows(struct again *a, struct outlets *r)
{
	int err = ST_OK;

	for (size_t i = 0; i < a->n && !err; i++) {
		const struct result *res = &a->rows[i].res;
		const json_t *was = json_array_get(document_rows(a->doc), i);
		struct row row = { .samples = row_samples(was) };

		sink_row_common(&a->record, res, &row);
		beff_cells(&a->sum, &a->record, res, &row);
		err = report_row(r, &a->record, &row);
	}
	return err;
}

static int hlrs_rows(struct again *a, struct outlets *r)
{
	int err = ST_OK;

	for (size_t p = 0; p < HLRS_PATTERNS && !err; p++) {
		struct row row = { 0 };

		if (!isfinite(hlrs_bandwidth(&a->hlrs, p)))
			continue;
		hlrs_row(&a->hlrs, p, &a->record, &row);
		err = report_row(r, &a->record, &row);
		json_decref(row.samples);
	}
	return err;
}

static int write_all(struct again *a)
{
	struct outlets *r = NULL;
	char *footer;
	int err, closed;

	begin_record(a);
	err = report_open(&r, &a->st->output);
	if (!err)
		err = report_begin(r, &a->record);
	if (!err)
		err = a->is_hlrs ? hlrs_rows(a, r) : ring_rows(a, r);
	footer = end_record(a);
	if (!err)
		err = report_end(r, &a->record);
	closed = report_close(r, !err);
	if (!err)
		err = closed;
	json_decref(a->record.options);
	json_decref(a->record.environment);
	json_decref(a->record.summary);
	json_decref(a->record.warnings);
	free(footer);
	return err;
}

static int run(const struct settings *st)
{
	const struct beff_options *o = st->own;
	struct again a = { .st = st, .o = o, .is_hlrs = o->rule == RULE_HLRS };
	int err = result_read(a.o->from, &a.doc);

	if (!err)
		err = check_rule(&a);
	if (!err)
		err = take(&a);
	if (!err)
		err = write_all(&a);
	for (size_t i = 0; i < a.n; i++)
		result_free(&a.rows[i].res);
	free(a.rows);
	hlrs_free(&a.hlrs);
	json_decref(a.doc);
	return err;
}

const struct mode beff_from = {
	.by = { "from" },
	.summary = "effective bandwidth out of a result that has samples, by any rule that these "
		   "serve",
	.options = options,
	.options_size = sizeof(struct beff_options),
	.run = run,
};
