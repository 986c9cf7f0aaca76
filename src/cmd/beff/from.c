/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beff --from: evaluates a result with samples again, by any rule that its samples allow. The
 * benchmark's own functions make the rows, the summary and the lines under the table. The output
 * therefore equals the output of a run under that rule.
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
#include "measure/sink/extra.h"
#include "measure/sink/sink.h"
#include "result/document.h"
#include "result/reader.h"

#define MOST_RANKS (1 << 20)
#define MOST_COUNT 0x1p53

static const struct opt options[] = {
	{ 0, "from", "file", OPT_TEXT, offsetof(struct beff_options, from),
	  .file = OPT_READ,
	  .help = "the result to evaluate again: JSON, measured with --samples" },
	{ 0, "rule", "name", OPT_CHOICE, offsetof(struct beff_options, rule), .def = "netbench",
	  .choices = beff_rules,
	  .help = "the rule: netbench and hpcc-fpga accept results of either of the two, hlrs only "
		  "results of rule hlrs" },
	{ 0 },
};

/* A row of the earlier result, recomputed from its samples. */
struct measured {
	struct spec spec;
	struct result res;
};

struct reevaluation {
	const struct beff_options *o;
	json_t *doc;
	bool is_hlrs;			/* --rule is hlrs */
	int ranks;
	struct measured *rows;		/* recomputed rows of a ring */
	size_t n;
	struct beff_sum sum;		/* sums of the bandwidths of a ring */
	struct hlrs hlrs;		/* patterns and bandwidths for rule hlrs */
	struct record record;
	char *footer;
	enum rate_unit rates;
	double launch_s; /* time to launch a repetition on a device, s; 0: no launch */
	char title[512], definition[48];
};

/* ---- reading ---- */

/*
 * Checks that the rule can be applied to the earlier measurements. Returns ST_OK or ST_USAGE
 * (reported).
 */
static int check_rule(const struct reevaluation *a)
{
	const char *definition = document_definition(a->doc);
	bool hlrs = !strncmp(definition, "beff.hlrs.", 10);

	if (strcmp(document_command(a->doc), "beff") != 0 ||
	    (!hlrs && strncmp(definition, "beff.ring.", 10) != 0))
		return error_usage("'%s' is not a result of 'netbench beff'", a->o->from);
	if (hlrs && !a->is_hlrs)
		return error_usage("'%s' was measured by rule 'hlrs': for rule '%s' measure "
				   "again with 'netbench beff --samples'", a->o->from,
				   beff_rules[a->o->rule]);
	if (!hlrs && a->is_hlrs)
		return error_usage("'%s' has one ring, but rule 'hlrs' needs more: measure again "
				   "with 'netbench beff --rule hlrs --samples'", a->o->from);
	return ST_OK;
}

/* Returns the whole number in the row's cell `name`, or 0 if the row lacks it. */
static uint64_t whole_number(const json_t *row, const char *name)
{
	double v = result_number(row, name);

	return v > 0 && v <= MOST_COUNT ? (uint64_t)v : 0;
}

/*
 * Returns a rank's time in repetition i; 0 if the rank was not timed, NaN if the sample is missing
 * or wrong.
 */
static double rank_time(const json_t *repetitions, size_t i, int rank)
{
	const json_t *ranks = json_array_get(repetitions, i),
		     *v = json_array_get(ranks, (size_t)rank);

	if (json_is_null(v))
		return 0;
	return json_is_number(v) && json_number_value(v) > 0 ? json_number_value(v) : NAN;
}

/*
 * Reads the time of the slowest rank in each repetition. Finds the best time of each rank in the
 * first repetitions, and sets res->rank_best_s to the largest of these best times. Returns 0, or -1
 * if a sample is wrong or memory is short.
 */
static int read_times(struct result *res, const json_t *repetitions, const json_t *visit_end,
		      int ranks)
{
	size_t n = json_array_size(repetitions);
	json_int_t end;	/* end of a visit; 0: there is only one visit */

	for (size_t i = 0; i < n; i++) {
		double slowest = 0;

		if (json_array_size(json_array_get(repetitions, i)) != (size_t)ranks)
			return -1;
		for (int r = 0; r < ranks; r++) {
			double t = rank_time(repetitions, i, r);

			if (isnan(t))
				return -1;
			slowest = fmax(slowest, t);
		}
		if (!(slowest > 0) || series_push(&res->times, slowest))
			return -1;
		end = json_integer_value(json_array_get(visit_end, res->visits));
		if ((i + 1 == n || (json_int_t)i + 1 == end) && result_end_visit(res))
			return -1;
	}
	for (int r = 0; r < ranks; r++) {
		double best = INFINITY;

		for (size_t i = 0; i < n && i < BEST_OF; i++)
			best = fmin(best, rank_time(repetitions, i, r));
		res->rank_best_s = fmax(res->rank_best_s, best);
	}
	res->time = summarise_visits(&res->times, res->visit_end, res->visits);
	return res->time.n ? 0 : -1;
}

static int read_row(struct measured *m, const json_t *row, int ranks, const char *path)
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
	m->spec.size = whole_number(row, "size_B");
	*res = (struct result){ .spec = &m->spec,
				.loops = whole_number(row, "loops"),
				.stop = (enum stop)stop,
				.checked = whole_number(row, "checked"),
				.errors = whole_number(row, "errors"),
				.late = whole_number(row, "late") };
	if (!res->loops ||
	    read_times(res, repetitions, json_object_get(samples, "visit_end"), ranks))
		return error_usage("'%s' has samples at size %llu that are not times of %d ranks",
				   path, (unsigned long long)m->spec.size, ranks);
	return ST_OK;
}

static int read_rows(struct reevaluation *a)
{
	const json_t *rows = document_rows(a->doc), *row;
	double step = result_number(a->doc, "environment.timer.resolution_s");
	double ranks = result_number(a->doc, "environment.nranks");
	int err = ST_OK;
	size_t i;

	if (!(ranks >= 1 && ranks <= MOST_RANKS))
		return error_usage("'%s' lacks its number of ranks", a->o->from);
	a->ranks = (int)ranks;
	if (a->is_hlrs)
		return hlrs_read(&a->hlrs, a->ranks, rows, a->o->from);
	a->sum = (struct beff_sum){ .rule = (enum beff_rule)a->o->rule, .ranks = a->ranks,
				    .upper = whole_number(a->doc, "summary.b_eff_upper_loops") };
	a->rows = memory_new(json_array_size(rows), sizeof(*a->rows));
	json_array_foreach(rows, i, row) {
		struct measured *m = &a->rows[a->n++];

		err = read_row(m, row, a->ranks, a->o->from);
		if (err)
			break;
		if (step > 0)
			summary_widen(&m->res.time, step);
	}
	return err;
}

/* ---- the record ---- */

/*
 * Copies the earlier run's summary without the members that depend on the rule. Returns a new
 * reference.
 */
static json_t *copy_summary(const json_t *doc)
{
	json_t *was = document_summary(doc), *v;
	json_t *summary = json_is_object(was) ? json_copy(was) : json_object();
	const char *name;
	void *next;

	json_object_foreach_safe(summary, next, name, v)
		if (!strcmp(name, "prediction") || !strncmp(name, "b_eff", 5))
			json_object_del(summary, name);
	return summary;
}

/*
 * Fills the record from the earlier run's record. Adds the file, both rules and both versions to
 * the environment.
 */
static int begin_record(struct reevaluation *a)
{
	const struct columns *cols = a->is_hlrs ? hlrs_columns : beff_columns;
	const char *how = strchr(document_definition(a->doc), '+');
	const char *rule = beff_rules[a->o->rule];
	const char *measured = result_text(a->doc, "environment.time.start");
	const char *version = result_text(a->doc, "environment.netbench.version");
	const char *measured_rule = result_text(a->doc, "options.rule");
	json_t *asked = json_copy(document_options(a->doc)), *here = host_collect();
	json_t *env = json_deep_copy(document_environment(a->doc));
	json_t *warnings = document_warnings(a->doc);
	double visits = result_number(a->doc, "options.visits");
	enum column_id launch[EXTRA_LAUNCH];

	json_object_update_new(asked, json_pack("{s:s, s:s}", "rule", rule, "from", a->o->from));
	json_object_set_new(env, "reevaluation",
			    json_pack("{s:s, s:s, s:s, s:s, s:s, s:O, s:O}", "file", a->o->from,
				      "rule", rule, "measured", measured, "measured_by_version",
				      version, "measured_under_rule", measured_rule, "netbench",
				      json_object_get(here, "netbench"), "time",
				      json_object_get(here, "time")));
	json_decref(here);
	snprintf(a->title, sizeof(a->title),
		 "netbench %s beff: '%s' evaluated again by rule %s; %d rank%s on %s, measured %s "
		 "by netbench %s under rule %s",
		 NETBENCH_VERSION, a->o->from, rule, a->ranks, a->ranks == 1 ? "" : "s",
		 result_text(a->doc, "environment.backend.name"), measured, version,
		 measured_rule);
	/* if times depend on the verification, '+' and its name follow */
	snprintf(a->definition, sizeof(a->definition), "%s%s",
		 a->is_hlrs			  ? "beff.hlrs.v1"
		 : a->o->rule == RULE_HPCC_FPGA ? BEFF_RING_HPCC_FPGA
		 : visits > 1			  ? BEFF_RING_VISITED
						  : BEFF_RING,
		 how ? how : "");
	a->record = (struct record){
		.command = "beff", .title = a->title, .definition = a->definition,
		.computed = result_is_computed(a->doc), .emulated = result_is_emulated(a->doc),
		.cols = cols->id, .heads = cols->heads, .ncols = cols->n, .ntable = cols->ntable,
		.nplain = cols->nplain, .score = cols->score, .options = asked,
		.environment = env, .summary = copy_summary(a->doc),
		.warnings = json_is_array(warnings) ? json_copy(warnings) : json_array(),
		.status = "incomplete"
	};
	return a->launch_s > 0 ? extra_columns(&a->record, launch, extra_launch_columns(launch), 1)
			       : ST_OK;
}

/* ---- writing ---- */

/* Writes all rows. Then sets the summary, the status and the lines under the table. */
static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	struct reevaluation *a = arg;
	const char *status = document_status(a->doc);
	char *footer, *longer;
	int err = ST_OK;

	for (size_t i = 0; i < (a->is_hlrs ? HLRS_PATTERNS : a->n) && !err; i++) {
		struct row row = { 0 };
		char note[EXTRA_NOTE];
		bool has_row = !a->is_hlrs || hlrs_row(&a->hlrs, i, rec, &row);

		if (!a->is_hlrs) {
			row.samples = json_incref(
				row_samples(json_array_get(document_rows(a->doc), i)));
			sink_row_common(rec, &a->rows[i].res, &row);
			beff_set_cells(&a->sum, rec, &a->rows[i].res, &row);
			beff_add_size(&a->sum, &a->rows[i].res);
			if (a->launch_s > 0)
				extra_launch_cells(rec, &a->rows[i].res, a->launch_s, &row, note);
		}
		err = has_row ? report_row(r, rec, &row) : ST_OK;
		json_decref(row.samples);
	}
	status = *status ? status : "incomplete";
	footer = a->is_hlrs ? hlrs_conclude(&a->hlrs, rec->summary, a->rates)
			    : beff_conclude(&a->sum, rec->summary, a->rates);
	if (footer && strcmp(status, "complete") != 0 &&
	    asprintf(&longer, "%s\nthe run was %s", footer, status) >= 0) {
		free(footer);
		footer = longer;
	}
	a->record.status = status;
	a->record.footer = a->footer = footer;
	return err;
}

static int run_from(const struct settings *st)
{
	const struct beff_options *o = st->own;
	struct reevaluation a = { .o = o, .is_hlrs = o->rule == RULE_HLRS,
			   .rates = (enum rate_unit)st->output.rate_unit };
	int err = result_read(a.o->from, &a.doc);

	if (!err)
		err = check_rule(&a);
	if (!err)
		err = read_rows(&a);
	if (!err) {
		a.launch_s = result_number(a.doc, "environment.backend.launch_s");
		err = begin_record(&a);
	}
	if (!err)
		err = report_result(&st->output, &a.record, put_rows, &a);
	if (a.record.nadded)
		extra_free(&a.record);
	json_decref(a.record.options);
	json_decref(a.record.environment);
	json_decref(a.record.summary);
	json_decref(a.record.warnings);
	free(a.footer);
	for (size_t i = 0; i < a.n; i++)
		result_free(&a.rows[i].res);
	free(a.rows);
	hlrs_free(&a.hlrs);
	json_decref(a.doc);
	return err;
}

const struct mode beff_from = {
	.by = { "from" },
	.summary = "effective bandwidth recomputed from a result with samples, by any rule that "
		   "they allow",
	.options = options,
	.options_size = sizeof(struct beff_options),
	.run = run_from,
};
