/* SPDX-License-Identifier: Apache-2.0 */
/* Half the round trip of one message between ranks 0 and 1; or, one-sided, the time of a read. */
#include "measure/bench.h"

/* Each iteration leaves a stamp: few enough that they stay in the cache. */
#define MAX_LOOPS 16384

static struct latency_opts {
	uint64_t loops;
} opts;

static const struct opt options[] = {
	{ 'l', "loops", "count", OPT_UINT, offsetof(struct latency_opts, loops), .def = "auto",
	  .min = 1, .max = 1 << 24, .word = "auto",
	  .help = "round trips of a repetition; auto: about 10 ms, at most 16384" },
	{ 0 },
};

static const enum column_id cols[] = {
	COL_SIZE, COL_LOOPS, COL_HALF_RTT, COL_HALF_RTT_LO, COL_HALF_RTT_HI, COL_HALF_RTT_MIN,
	COL_HALF_RTT_P50, COL_HALF_RTT_P90, COL_HALF_RTT_P99, COL_HALF_RTT_P999, COL_HALF_RTT_MAX,
	COL_REPETITIONS, COL_ERRORS, COL_STOP, COL_CHECKED,
	COL_TIME_ACF1,
};

static int default_ranks(int cores)
{
	(void)cores;
	return 2;
}

static uint64_t loops_asked(void)
{
	return opts.loops;
}

static void fill(const struct bench *b, const struct result *res, struct row *row)
{
	const struct summary *t = &res->time, *i = &res->iteration;
	double trips = 2 * (double)res->loops;

	bench_set(b, row, COL_HALF_RTT, val_real(t->p50 / trips));
	bench_set(b, row, COL_HALF_RTT_LO, val_real(t->lo / trips));
	bench_set(b, row, COL_HALF_RTT_HI, val_real(t->hi / trips));
	bench_set(b, row, COL_HALF_RTT_MIN, val_real(i->min / 2));
	bench_set(b, row, COL_HALF_RTT_P50, val_real(i->p50 / 2));
	bench_set(b, row, COL_HALF_RTT_P90, val_real(i->p90 / 2));
	bench_set(b, row, COL_HALF_RTT_P99, val_real(i->p99 / 2));
	bench_set(b, row, COL_HALF_RTT_P999, val_real(i->p999 / 2));
	bench_set(b, row, COL_HALF_RTT_MAX, val_real(i->max / 2));
}

static const enum column_id read_cols[] = {
	COL_SIZE, COL_LOOPS, COL_READ, COL_READ_LO, COL_READ_HI, COL_READ_MIN, COL_READ_P50, COL_READ_P90, COL_READ_P99,
	COL_READ_P999, COL_READ_MAX, COL_REPETITIONS, COL_ERRORS, COL_STOP, COL_CHECKED, COL_TIME_ACF1,
};

/* A read is a round trip, and not halved. */
static void fill_read(const struct bench *b, const struct result *res, struct row *row)
{
	const struct summary *t = &res->time, *i = &res->iteration;
	double loops = (double)res->loops;

	bench_set(b, row, COL_READ, val_real(t->p50 / loops));
	bench_set(b, row, COL_READ_LO, val_real(t->lo / loops));
	bench_set(b, row, COL_READ_HI, val_real(t->hi / loops));
	bench_set(b, row, COL_READ_MIN, val_real(i->min));
	bench_set(b, row, COL_READ_P50, val_real(i->p50));
	bench_set(b, row, COL_READ_P90, val_real(i->p90));
	bench_set(b, row, COL_READ_P99, val_real(i->p99));
	bench_set(b, row, COL_READ_P999, val_real(i->p999));
	bench_set(b, row, COL_READ_MAX, val_real(i->max));
}

static void one_pair(struct pattern_args *args, const struct point *pt, uint64_t draw)
{
	(void)pt;
	(void)draw;
	args->pairs = 1;
	args->window = args->batch = 1;
}

static bool observe(const struct bench *b, const struct result *res, struct observation *o)
{
	(void)b;
	o->what = OBSERVED_LATENCY;
	o->measured = res->time.p50 / (2 * (double)res->loops);
	return true;
}

static const struct benchmark latency = {
	.definition = "latency.half-rtt.v1",
	.pattern = &pattern_pingpong,
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.ntable = sizeof(cols) / sizeof(cols[0]) - 2,
	.stamps = true,
	.max_log2 = 22,
	.min_ranks = 2,
	.max_loops = MAX_LOOPS,
	.default_ranks = default_ranks,
	.loops_asked = loops_asked,
	.fill = fill,
	.observe = observe,
};

static const struct benchmark latency_read = {
	.definition = "latency.read.v1",
	.pattern = &pattern_read,
	.cols = read_cols,
	.ncols = sizeof(read_cols) / sizeof(read_cols[0]),
	.ntable = sizeof(read_cols) / sizeof(read_cols[0]) - 2,
	.stamps = true,
	.max_log2 = 22,
	.min_ranks = 2,
	.max_loops = MAX_LOOPS,
	.default_ranks = default_ranks,
	.arguments = one_pair,
	.loops_asked = loops_asked,
	.fill = fill_read,
};

static const struct mode read_mode = {
	.by = { "op", .value = "read" },
	.summary = "time of one read of another rank's memory",
	.bench = &latency_read,
};

const struct command cmd_latency = {
	.name = "latency",
	.summary = "half the round trip of one message",
	.options = options,
	.values = &opts,
	.bench = &latency,
	.modes = (const struct mode *const[]){ &read_mode, NULL },
};
