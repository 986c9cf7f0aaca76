/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Effective bandwidth in the simplified form for circuit-switched networks: one ring, every rank
 * exchanges with both neighbours, mean of the best bandwidths over the sizes.
 */
#include "cmd/beff/beff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_UPPER 32768

const char *const beff_rules[] = { "netbench", "hpcc-fpga", "hlrs", NULL };

struct beff_opts beff_opts;

static const struct opt options[] = {
	{ 'u', "upper", "count", OPT_UINT, offsetof(struct beff_opts, upper), .def = "auto",
	  .min = 1, .max = 1 << 30, .word = "auto",
	  .help = "upper loop length u; a size L is looped max(u/ceil(L/2w), l) times; auto: such that a "
		  "round lasts about 10 ms, at most 32768" },
	{ 'l', "lower", "count", OPT_UINT, offsetof(struct beff_opts, lower), .def = "1", .min = 1,
	  .max = 1 << 30, .help = "lower loop length l" },
	{ 0, "channel-width", "bytes", OPT_SIZE, offsetof(struct beff_opts, width), .def = "32",
	  .min = 1, .max = 1 << 20, .help = "channel width w in the loop length" },
	{ 0, "rule", "name", OPT_CHOICE, offsetof(struct beff_opts, rule), .def = "netbench",
	  .choices = beff_rules,
	  .help = "time of a size: netbench: best repetition of the slowest rank; hpcc-fpga: slowest of "
		  "the ranks' own best repetitions; hlrs: other patterns, see beff --rule hlrs --help" },
	{ 0, "from", "file", OPT_TEXT, offsetof(struct beff_opts, from),
	  .help = "measure nothing, but evaluate a result that has samples again, by --rule" },
	{ 0 },
};

static const enum column_id cols[] = {
	COL_SIZE, COL_LOOPS, COL_TIME_MIN, COL_BANDWIDTH_MAX, COL_REPETITIONS, COL_TIME, COL_TIME_LO,
	COL_TIME_HI, COL_TIME_MAX, COL_BANDWIDTH, COL_ERRORS, COL_STOP, COL_CHECKED,
	COL_TIME_ACF1, COL_LATE,
};

/* The first four are called as in the reference, where time and bandwidth are those of the best repetition. */
static const char *const heads[] = {
	"MSize", "looplength", "time", "B/s", NULL, "time p50", NULL, NULL, NULL, "B/s p50", NULL, NULL, NULL,
	NULL, NULL,
};
_Static_assert(sizeof(heads) / sizeof(heads[0]) == sizeof(cols) / sizeof(cols[0]), "a heading a column");

/* Sum of b(L) over the sizes, and how many there were. */
struct sum {
	double b;
	size_t n;
	bool reference;		/* so far the sizes were 1, 2, 4, ... */
};

static int default_ranks(int cores)
{
	return cores < 2 ? 2 : cores;
}

static uint64_t loops_asked(void)
{
	return beff_opts.upper;
}

static uint64_t loops(const struct point *pt, uint64_t upper)
{
	return plan_beff_loops(upper, beff_opts.lower, beff_opts.width, pt->size);
}

static uint64_t upper_from(const struct point *pt, uint64_t found)
{
	uint64_t upper = plan_beff_upper(found, beff_opts.width, pt->size);

	return upper < MAX_UPPER ? upper : MAX_UPPER;
}

/* Both directions of all ranks (DEFINITIONS 3). */
static double bandwidth(const struct bench *b, const struct result *res, double time_s)
{
	return 2.0 * b->run->ranks * (double)res->pt->size * (double)res->loops / time_s;
}

static void fill(const struct bench *b, const struct result *res, struct row *row)
{
	double best = beff_opts.rule == RULE_HPCC_FPGA ? res->rank_best_s : res->time.min;
	struct sum *sum = b->state;

	bench_set(b, row, COL_TIME_MIN, val_real(best));
	if (!res->pt->size || !(best > 0))
		return;
	bench_set(b, row, COL_BANDWIDTH_MAX, val_real(bandwidth(b, res, best)));
	bench_set(b, row, COL_BANDWIDTH, val_real(bandwidth(b, res, res->time.p50)));
	sum->reference = sum->n < 21 && res->pt->size == UINT64_C(1) << sum->n &&
			 (!sum->n || sum->reference);
	sum->b += bandwidth(b, res, best);
	sum->n++;
}

static bool observe(const struct bench *b, const struct result *res, struct observation *o)
{
	(void)b;
	o->what = OBSERVED_RING;
	o->measured = res->time.min / (double)res->loops;
	return true;
}

static void finish(struct bench *b)
{
	const struct sum *sum = b->state;
	json_t *s = b->record.summary;
	double b_eff = sum->b / (double)sum->n;
	char scaled[32];

	if (!sum->n) {
		bench_footer(b, "\nb_eff: n/a, no size has a bandwidth");
		return;
	}
	json_object_set_new(s, "b_eff_Bps", json_real(b_eff));
	json_object_set_new(s, "b_eff_sizes", json_integer((json_int_t)sum->n));
	json_object_set_new(s, "b_eff_rule", json_string(beff_rules[beff_opts.rule]));
	json_object_set_new(s, "b_eff_upper_loops", json_integer((json_int_t)b->asked));
	bench_footer(b, "\nb_eff = %.5e B/s = %s   (ring of %d rank%s, rule %s, mean over %zu sizes%s, u = %llu)",
		 b_eff, format_si(scaled, sizeof(scaled), b_eff, "B/s"), b->run->ranks, b->run->ranks == 1 ? "" : "s", beff_rules[beff_opts.rule], sum->n,
		 sum->reference && sum->n == 21 ? "" : ", not the full 2^0..2^20",
		 (unsigned long long)b->asked);
}

static const char *define(void)
{
	return beff_opts.rule == RULE_HPCC_FPGA ? "beff.ring.hpcc-fpga.v1" : "beff.ring.v1";
}

static const struct benchmark beff = {
	.define = define,
	.pattern = &pattern_ring,
	.cols = cols,
	.heads = heads,
	.ntable = sizeof(cols) / sizeof(cols[0]) - 3,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.max_log2 = 20,
	.min_ranks = 1,
	.max_loops = MAX_UPPER,
	.state_size = sizeof(struct sum),
	.default_ranks = default_ranks,
	.loops_asked = loops_asked,
	.loops = loops,
	.asked_from = upper_from,
	.fill = fill,
	.observe = observe,
	.finish = finish,
};

const struct command cmd_beff = {
	.name = "beff",
	.summary = "effective bandwidth of a ring: mean over the sizes of the best bandwidth",
	.options = options,
	.values = &beff_opts,
	.bench = &beff,
	.modes = (const struct mode *const[]){ &beff_from, &beff_hlrs, NULL },
};
