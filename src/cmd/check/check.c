/* SPDX-License-Identifier: Apache-2.0 */
/* Measures and judges the usual quantities of a network in one run of some minutes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/beff_sum.h"
#include "cmd/check/again.h"
#include "cmd/check/verdict.h"
#include "result/document.h"
#include "measure/collective/block.h"
#include "measure/collective/spec.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"
#include "model/schedule/algorithms.h"

#define AT(member) offsetof(struct check_options, member)

static const struct opt options[] = {
	{ 0, "time", "time", OPT_SECONDS, AT(time), .def = "2m", .min = 1, .max = 86400,
	  .help = "approximate time of the whole run" },
	{ 0, "require", "what", OPT_TEXTS, AT(require),
	  .help = "fail unless this requirement is met: 'latency.half_rtt_p50_s size=8 <= 2us', a "
		  "file of such lines, or an earlier result of check; may be given several times" },
	{ 0, "tolerance", "percent", OPT_REAL, AT(tolerance), .def = "10", .max = 1000,
	  .help = "how much worse a number may be than in an earlier result" },
	{ 0, "of-link", "percent", OPT_REAL, AT(share), .def = "80", .max = 100,
	  .help = "fail if the bandwidth is below this share of what the device promises; 0: "
		  "never" },
	{ 0, "collectives", NULL, OPT_FLAG, AT(collectives),
	  .help = "also measure allreduce and alltoall of all ranks" },
	{ 0, "runs", "count", OPT_UINT, AT(runs), .def = "1", .min = 1, .max = 90,
	  .help = "complete runs, one after the other: judge the medians over them; intervals need "
		  "6 or more" },
	{ 0, "resume", "file", OPT_TEXT, AT(resume), .file = OPT_READ_ON_0,
	  .help = "with --runs: continue the runs of this result in JSON, or of a FILE.runs" },
	{ 0 },
};

/* ---- measured quantities ---- */

static const struct item {
	const char *benchmark;		/* name in results and requirements */
	struct spec spec;
} items[] = {
#define ITEM(how, bytes, messages, ...) \
	{ .pattern = &(how), .size = (bytes), .window = (messages), .elastic = (messages) > 1, \
	  .batch = 1, .loops = LOOPS_BY_PILOT, .pairs = 1, __VA_ARGS__ }
	{ "latency", ITEM(pattern_pingpong, 8, 1, .stamps = true) },
	{ "latency", ITEM(pattern_pingpong, 1 << 20, 1, .stamps = true) },
	{ "msgrate", ITEM(pattern_stream, 8, 64, .bidirectional = false) },
	{ "bandwidth", ITEM(pattern_stream, 1 << 20, 64, .bidirectional = false) },
	{ "both-ways", ITEM(pattern_stream, 1 << 20, 64, .bidirectional = true) },
};

/* The ring of beff, with all sizes and ranks. */
static const struct item ring_item = {
	"beff", { .pattern = &pattern_ring, .window = 1, .batch = 1, .loops = LOOPS_BY_PILOT,
		  .least_repetitions = BEST_OF }
};

/*
 * Collective operations of --collectives, with the algorithm that is used if the backend has no
 * operation of its own.
 */
static const struct operation_item {
	struct item item;		/* only its name */
	enum operation op;
	const char *algorithm;
	uint64_t size;
} operation_items[] = {
	{ { .benchmark = "allreduce" }, OPERATION_ALLREDUCE, "recursive-doubling", 8 },
	{ { .benchmark = "allreduce" }, OPERATION_ALLREDUCE, "ring", 1 << 20 },
	{ { .benchmark = "alltoall" }, OPERATION_ALLTOALL, "linear", 8 },
	{ { .benchmark = "alltoall" }, OPERATION_ALLTOALL, "linear", 16 << 10 },
};

/*
 * Largest number of loops. Each round trip leaves a time stamp; up to this number, all stamps stay
 * in the cache.
 */
#define MAX_LOOPS 16384

/* A point is repeated until the interval of its median is at most this wide, percent. */
#define AIM 1

#define BOUNDED(name) COL_##name, COL_##name##_LO, COL_##name##_HI
static const enum column_id cols[] = {
	COL_BENCHMARK, COL_ALGORITHM, COL_RANKS, COL_SIZE, COL_WINDOW, COL_LOOPS,
	BOUNDED(HALF_RTT_P50), BOUNDED(HALF_RTT_P99), BOUNDED(HALF_RTT_EPOCH), COL_HALF_RTT_MEAN,
	COL_STALLED, COL_DISTURBANCE, BOUNDED(RATE), BOUNDED(BANDWIDTH), BOUNDED(COLLECTIVE),
	BOUNDED(BEHIND_BARRIER), COL_LATE_STARTS,
	COL_TIME_MIN, COL_BANDWIDTH_MAX, COL_BEST_OF, COL_REPETITIONS,
	COL_ERRORS, COL_STOP, BOUNDED(TIME), COL_CI_METHOD, COL_VISITS, COL_CHECKED,
	COL_TIME_ACF1, COL_LATE, COL_NOTE,
};

static int check_options(const struct settings *st)
{
	static const char *const fixed_here[] = { "sizes", "max-size", "min-size" };
	const struct check_options *o = st->own;
	struct requirements probe = { .n = 0 };
	int err = settings_exclude(st, "time", "point-time");

	for (size_t i = 0; i < LENGTH(fixed_here); i++)
		if (settings_given(st, fixed_here[i]))
			return error_usage("option '--%s' is not for check, whose sizes are fixed",
					   fixed_here[i]);
	/*
	 * Reads the requirements now only to report faults before anything is measured. check_judge
	 * reads them again.
	 */
	for (size_t i = 0; i < o->require.n && !err && st->launch.rank <= 0; i++)
		err = requirements_read(&probe, o->require.v[i], o->tolerance / 100);
	free(probe.at);
	return err;
}

/* Adds the collective operations of all ranks. Returns ST_OK or another ST_* (reported). */
static int add_operations(struct plan *p)
{
	bool native = p->settings->be->caps & CAP_NATIVE;
	int err = ST_OK;

	for (size_t i = 0; i < LENGTH(operation_items) && !err; i++) {
		const struct operation_item *at = &operation_items[i];
		struct collective c = { .op = at->op,
					.algorithm = native ? NULL : algorithm_find(at->op,
										    at->algorithm),
					.shape = { .P = (uint32_t)p->ranks, .k = at->size } };

		err = plan_add_operation(p, &c, (uint32_t)i, &at->item);
	}
	return err;
}

static int plan_check(struct plan *p)
{
	const struct check_options *o = p->settings->own;
	int cores = plan_cores(p), err;
	struct spec spec;

	err = check_options(p->settings);
	if (!err)
		err = plan_ranks(p, cores < 2 ? 2 : (uint64_t)cores);
	if (err)
		return err;
	p->usual.max_loops = MAX_LOOPS;
	p->pairing.how = BETWEEN_HOSTS;
	for (size_t i = 0; i < LENGTH(items) && !err; i++) {
		spec = items[i].spec;
		spec.own = &items[i];
		err = plan_add(p, &spec);
	}
	spec = ring_item.spec;
	spec.own = &ring_item;
	if (!err)
		err = plan_add_sizes(p, &spec);
	if (!err && o->collectives)
		err = add_operations(p);
	p->usual.ci = AIM;
	p->usual.visited = "check.v2";
	if (!settings_given(p->settings, "point-time"))
		p->usual.time_s = o->time;
	return err;
}

/* ---- from results to cells ---- */

/* State of rank 0, in s->own. */
struct check {
	struct figures found;
	struct beff_sum sum;
	bool few;			/* some size of the ring has too few repetitions */
};

static const struct item *result_item(const struct result *res)
{
	return res->spec->own;
}

static void add_figure(struct session *s, const struct figure *f)
{
	int err = s->sink->drafts.writing ? ST_OK
					  : figures_add(&((struct check *)s->own)->found, f);

	if (err)
		session_abort(s, err);
}

/* Returns whether the time ran out before the point had enough repetitions for an interval. */
static bool has_too_few_repetitions(const struct result *res)
{
	return (res->stop == STOP_SLOW || res->stop == STOP_TIME_LIMIT) &&
	       res->times.n < FEWEST_REPETITIONS;
}

/*
 * Returns whether a visit of the ring ended before it had BEST_OF repetitions, from which the best
 * is chosen. Also returns true if the point has too few repetitions for an interval.
 */
static bool has_short_visit(const struct settings *st, const struct result *res)
{
	bool few = has_too_few_repetitions(res);

	for (size_t v = 0; v < res->visits && !settings_virtual(st); v++)
		few |= result_best_count(res, v) < BEST_OF;
	return few;
}

static const char *algorithm_name(const struct collective *c)
{
	return c->algorithm ? c->algorithm->name : "native";
}

/* Sets the cell of a number. Adds the number and its interval to the figures to judge. */
static void put_value(struct session *s, const struct result *res, struct row *row,
		      enum column_id id, double value, struct interval of)
{
	const struct collective *c = res->spec->collective;

	row_put(row, &s->sink->record, id, val_real(value));
	add_figure(s, &(struct figure){ result_item(res)->benchmark, columns[id].name,
					  columns[id].unit, res->spec->size, res->window, value,
					  of.lo, of.hi, has_too_few_repetitions(res),
					  settings_virtual(s->settings),
					  c ? algorithm_name(c) : NULL, c ? c->shape.P : 0 });
}

/* Like put_value, but also sets the cells of the interval. */
static void put_figure(struct session *s, const struct result *res, struct row *row,
		       enum column_id id, enum column_id bounds, struct interval of, double value)
{
	put_value(s, res, row, id, value, of);
	ROW_PUT(row, &s->sink->record, { bounds, val_real(of.lo) },
		{ bounds + 1, val_real(of.hi) });
}

static void label_item(const struct session *s, const struct spec *spec, struct row *row)
{
	const struct collective *c = spec->collective;
	const struct record *rec = &s->sink->record;

	row_put(row, rec, COL_BENCHMARK, val_text(((const struct item *)spec->own)->benchmark));
	if (c)
		ROW_PUT(row, rec, { COL_RANKS, val_uint(c->shape.P) },
			{ COL_ALGORITHM, val_text(algorithm_name(c)) });
}

static void fill_latency(struct session *s, const struct result *res, struct row *row)
{
	const struct summary *t = &res->time, *i = &res->iteration;
	double messages = 2 * (double)res->loops;

	put_figure(s, res, row, COL_HALF_RTT_EPOCH, COL_HALF_RTT_EPOCH_LO,
	    (struct interval){ t->lo / messages, t->hi / messages }, t->p50 / messages);
	put_figure(s, res, row, COL_HALF_RTT_P50, COL_HALF_RTT_P50_LO,
	    (struct interval){ i->lo / 2, i->hi / 2 }, i->p50 / 2);
	put_figure(s, res, row, COL_HALF_RTT_P99, COL_HALF_RTT_P99_LO,
	    (struct interval){ res->tails.p99.lo / 2, res->tails.p99.hi / 2 }, i->p99 / 2);
	put_value(s, res, row, COL_HALF_RTT_MEAN, result_mean(res) / 2,
		  (struct interval){ NAN, NAN });
	row_put(row, &s->sink->record, COL_STALLED, val_real(result_stalled_share(res)));
	if (result_stalled_share(res) > STALLED)
		row_put(row, &s->sink->record, COL_DISTURBANCE, val_text("interrupted"));
}

static void fill_stream(struct session *s, const struct result *res, struct row *row)
{
	const struct summary *t = &res->time;
	bool rate = !strcmp(result_item(res)->benchmark, "msgrate");
	double moved = (double)res->window * (double)res->loops *
		       (rate ? 1 : (double)res->spec->size) * (res->spec->bidirectional ? 2 : 1);

	put_figure(s, res, row, rate ? COL_RATE : COL_BANDWIDTH,
		   rate ? COL_RATE_LO : COL_BANDWIDTH_LO,
		   (struct interval){ moved / t->hi, moved / t->lo }, moved / t->p50);
}

/*
 * Sets the cells of a collective operation. If too many operations began late, not even their
 * median is known.
 */
static void fill_operation(struct session *s, const struct result *res, struct row *row)
{
	const struct summary *i = &res->iteration;
	bool barriers = block_began_after_barriers(s, res);

	row_put(row, &s->sink->record, COL_LATE_STARTS, val_uint(res->late));
	if (barriers || block_quantile_is_reliable(res->late, i->n, 0.5))
		put_figure(s, res, row, barriers ? COL_BEHIND_BARRIER : COL_COLLECTIVE,
			   barriers ? COL_BEHIND_BARRIER_LO : COL_COLLECTIVE_LO,
			   (struct interval){ i->lo, i->hi }, i->p50);
}

static void fill_check_row(struct session *s, const struct result *res, struct row *row)
{
	struct check *c = s->own;

	if (result_item(res) == &ring_item && !s->sink->drafts.writing)
		c->few |= has_short_visit(s->settings, res);
	if (result_item(res) == &ring_item && !s->sink->drafts.writing)
		beff_add_size(&c->sum, res);
	if (result_item(res) == &ring_item)
		beff_set_cells(&c->sum, &s->sink->record, res, row);
	else if (res->spec->collective)
		fill_operation(s, res, row);
	else if (res->spec->stamps)
		fill_latency(s, res, row);
	else
		fill_stream(s, res, row);
}

/* Measures all points. Rank 0 keeps the figures for conclude_check. */
static void run_check(struct session *s)
{
	struct check *c = session_is_root(s) ? calloc(1, sizeof(*c)) : NULL;

	if (session_is_root(s) && !c)
		session_abort(s, error_report("no memory for results"));
	if (c)
		c->sum = (struct beff_sum){ .rule = RULE_NETBENCH, .ranks = s->plan->ranks };
	s->own = c;
	sweep_plan(s);
}

/* ---- the verdict ---- */

/* Adds b_eff to the summary and to the figures to judge, if all sizes of the ring were measured. */
static void add_score(struct session *s)
{
	const struct check *c = s->own;
	struct summary b_eff = beff_score(&c->sum);

	if (c->sum.n < s->plan->sizes.n)
		return;
	json_object_update_new(s->sink->record.summary,
			       json_pack("{s:f, s:o, s:o, s:I, s:s}", "b_eff_Bps", b_eff.p50,
					 "b_eff_lo_Bps", real_or_null(c->few ? NAN : b_eff.lo),
					 "b_eff_hi_Bps", real_or_null(c->few ? NAN : b_eff.hi),
					 "b_eff_sizes", (json_int_t)c->sum.n, "b_eff_rule",
					 beff_rules[c->sum.rule]));
	add_figure(s, &(struct figure){ ring_item.benchmark, "b_eff_Bps", "B/s", 0, 1, b_eff.p50,
					b_eff.lo, b_eff.hi, c->few,
					settings_virtual(s->settings), NULL, 0 });
}

static int conclude_check(struct session *s)
{
	struct check *c = s->own;
	struct record *rec = &s->sink->record;
	struct check_report r = { .title = s->sink->title, .warnings = rec->warnings,
				  .over = session_is_over(s), .ranks = s->plan->ranks, .runs = 1 };
	char *text = NULL;
	int err;

	if (!c)
		return ST_OK;
	add_score(s);
	r.found = &c->found;
	err = check_judge(s->settings, rec, &r, &text);
	sink_add_footer(s, "%s", text ? text : "");
	free(text);
	free(c->found.at);
	free(c);
	s->own = NULL;
	return err;
}

static const struct benchmark quantities = {
	.definition = "check.v1",
	.columns = { .id = cols, .n = LENGTH(cols), .words = true },
	.sizes = { .max_log2 = 20 },
	.min_ranks = 2,
	.plan = plan_check,
	.label = label_item,
	.fill = fill_check_row,
	.run = run_check,
	.conclude = conclude_check,
};

const struct command cmd_check = {
	.name = "check",
	.summary = "how good is this network: the usual quantities in words, judged",
	.options = options,
	.options_size = sizeof(struct check_options),
	.lead = "backend time require runs of-link output",
	.bench = &quantities,
	.reruns = check_has_runs,
	.run = check_in_runs,
};
