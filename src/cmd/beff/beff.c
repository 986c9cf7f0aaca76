/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Effective bandwidth, simplified for circuit-switched networks. All ranks form one ring, and every
 * rank exchanges messages with both neighbours. The result is the mean, over the sizes, of the best
 * bandwidth of each size.
 */
#include "cmd/beff/beff.h"
#include "cmd/beff/hlrs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/values.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"
#include "model/predict.h"

#define MAX_UPPER 32768

/*
 * Target length of a repetition of the first size if there are several visits, s. This length is
 * shorter than with one visit, because each visit has 6 repetitions.
 */
#define VISITED_TARGET_S (ROUND_TARGET_S / 2)

#define AT(member) offsetof(struct beff_options, member)

static const struct opt options[] = {
	{ 'u', "upper", "count", OPT_UINT, AT(upper), .def = "auto",
	  .min = 1, .max = 1 << 30, .word = "auto",
	  .help = "upper loop length u: a repetition of size L has max(u/ceil(L/2w), l) loops; "
		  "auto: about 5 ms a repetition, or 10 ms with one visit, and at most 32768; more "
		  "if a device runs the repetition, so that its launch takes below 1 % of the "
		  "time" },
	{ 'l', "lower", "count", OPT_UINT, AT(lower), .def = "1", .min = 1,
	  .max = 1 << 30, .help = "lower loop length l" },
	{ 0, "channel-width", "bytes", OPT_SIZE, AT(width), .def = "32",
	  .min = 1, .max = 1 << 20, .help = "channel width w in the formula of --upper" },
	{ 0, "rule", "name", OPT_CHOICE, AT(rule), .def = "netbench",
	  .choices = beff_rules,
	  .help = "time of a size: netbench: best of the first 6 repetitions of a visit, each "
		  "timed by its slowest rank; hpcc-fpga: best of 6 on each rank, then the slowest "
		  "rank; hlrs: other patterns, see beff --rule hlrs --help" },
	{ 0, "from", "file", OPT_TEXT, AT(from),
	  .file = OPT_READ,
	  .help = "measure nothing: evaluate an earlier result with samples again, by --rule" },
	{ 0 },
};

static const enum column_id cols[] = {
	COL_SIZE, COL_LOOPS, COL_TIME_MIN, COL_BANDWIDTH_MAX, COL_BEST_OF, COL_REPETITIONS,
	COL_TIME, COL_TIME_LO, COL_TIME_HI, COL_TIME_MAX, COL_BANDWIDTH, COL_ERRORS, COL_STOP,
	/* the following columns appear only in files */
	COL_CI_METHOD, COL_VISITS, COL_CHECKED, COL_TIME_ACF1, COL_LATE,
};

/* Columns of the table on terminals of 80 characters. */
static const enum column_id narrow[] = {
	COL_SIZE, COL_LOOPS, COL_TIME_MIN, COL_BANDWIDTH_MAX, COL_BANDWIDTH, COL_REPETITIONS,
};

/* The headings of the reference program. The columns "time" and "B/s" show the best repetition. */
static const char *const heads[] = {
	"MSize", "looplength", "time", "B/s", NULL, NULL, "time p50", NULL, NULL, NULL, "B/s p50",
	NULL, NULL, NULL, NULL, NULL, NULL, NULL,
};
_Static_assert(LENGTH(heads) == LENGTH(cols), "each column has a heading");

/* ---- planning and measuring ---- */

static uint64_t upper_loops_from_pilot(const struct beff_options *o, uint64_t loops, uint64_t size)
{
	uint64_t upper = plan_beff_upper(loops, o->width, size);

	return upper < MAX_UPPER ? upper : MAX_UPPER;
}

static int plan_ring(struct plan *p)
{
	const struct beff_options *o = p->settings->own;
	struct spec spec = {
		.pattern = &pattern_ring, .window = 1, .batch = 1, .loops = LOOPS_BY_PILOT
	};
	int cores = plan_cores(p), err = plan_ranks(p, cores < 2 ? 2 : (uint64_t)cores);
	uint64_t upper = o->upper;

	if (o->rule == RULE_HPCC_FPGA) {
		p->definition = BEFF_RING_HPCC_FPGA;
		p->usual.once_unasked = true;
	} else {
		p->usual.visited = BEFF_RING_VISITED;
		spec.least_repetitions = BEST_OF;
	}
	if (!err)
		err = plan_add_sizes(p, &spec);
	if (!err && upper == OPT_AUTO && settings_virtual(p->settings))
		upper = upper_loops_from_pilot(o, plan_virtual_loops(p, &p->specs[0], MAX_UPPER),
					 p->specs[0].size);
	for (size_t i = 0; i < p->n && !err && upper != OPT_AUTO; i++)
		p->specs[i].loops = plan_beff_loops(upper, o->lower, o->width,
						    p->specs[i].size);
	return err;
}

/*
 * Returns the number of loops for a size. A device has to launch each repetition. Without --upper,
 * a pilot of the size therefore finds enough loops to make the launch a small part of the time.
 */
static uint64_t loops_for_size(struct session *s, const struct spec *spec, uint64_t upper)
{
	const struct beff_options *o = s->settings->own;
	uint64_t loops = plan_beff_loops(upper, o->lower, o->width, spec->size), least;
	struct spec tried = *spec;

	if (o->upper != OPT_AUTO || !(s->ep->launch_s > 0))
		return loops;
	tried.loops = LOOPS_BY_PILOT;
	tried.target_s = endpoint_min_round_s(s->ep) * endpoint_slowdown(s->ep);
	least = measure_pilot(s, &tried);
	return least == LOOPS_BY_PILOT || least < loops ? loops : least;
}

/* Measures the ring. A pilot of the first size finds the upper loop length for all sizes. */
static void run_ring(struct session *s)
{
	const struct beff_options *o = s->settings->own;
	struct beff_sum sum = { .rule = (enum beff_rule)o->rule,
				.ranks = s->plan->ranks,
				.upper = o->upper };
	struct spec *specs = calloc(s->plan->n + 1, sizeof(*specs));
	char *text;

	if (!specs)
		session_abort(s, error_report("no memory for %zu points", s->plan->n));
	s->own = &sum;
	for (size_t i = 0; i < s->plan->n; i++) {
		struct spec *spec = &specs[i];

		*spec = s->plan->specs[i];
		if (s->plan->stopping.visits > 1)
			spec->target_s = VISITED_TARGET_S;
		if (sum.upper == OPT_AUTO)
			sum.upper = upper_loops_from_pilot(o, spec->loops == LOOPS_BY_PILOT
						  ? measure_pilot(s, spec) : spec->loops,
						     spec->size);
		spec->loops = loops_for_size(s, spec, sum.upper);
	}
	sweep_specs(s, specs, s->plan->n);
	free(specs);
	if (!session_is_root(s))
		return;
	text = beff_conclude(&sum, s->sink->record.summary,
			     (enum rate_unit)s->settings->output.rate_unit);
	sink_add_footer(s, "%s", text ? text : "");
	free(text);
	s->own = NULL;
}

/* ---- from results to cells ---- */

static void fill_ring_row(struct session *s, const struct result *res, struct row *row)
{
	beff_set_cells(s->own, &s->sink->record, res, row);
	if (!s->sink->drafts.writing)
		beff_add_size(s->own, res);
}

static bool observe_ring(const struct session *s, const struct result *res, struct observation *o)
{
	o->what = OBSERVED_RING;
	o->measured = result_best(res) / (double)res->loops;
	return true;
}

static const struct benchmark ring = {
	.definition = BEFF_RING,
	.pattern = &pattern_ring,
	/* the plain format prints the same table and last line as the reference program */
	.columns = { .id = cols, .heads = heads, .n = LENGTH(cols), .ntable = LENGTH(cols) - 5,
		     .nplain = 4, .score = "b_eff", .narrow = narrow, .nnarrow = LENGTH(narrow) },
	.sizes = { .max_log2 = 20 },
	.min_ranks = 1,
	.plan = plan_ring,
	.fill = fill_ring_row,
	.observe = observe_ring,
	.run = run_ring,
};
const struct columns *const beff_columns = &ring.columns;

const struct command cmd_beff = {
	.name = "beff",
	.summary = "effective bandwidth of a ring: a mean over message sizes",
	.options = options,
	.options_size = sizeof(struct beff_options),
	.lead = "backend ranks max-size point-time output",
	.bench = &ring,
	.modes = (const struct mode *const[]){ &beff_from, &beff_hlrs, NULL },
};
