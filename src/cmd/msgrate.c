/* SPDX-License-Identifier: Apache-2.0 */
/* Messages per second in windows that end with a reply; the reply's time counts. */
#include "cmd/stream.h"

static const enum column_id cols[] = {
	COL_SIZE, COL_WINDOW, COL_BATCH, COL_PAIRS, COL_LOOPS, COL_RATE, COL_RATE_LO, COL_RATE_HI,
	COL_RATE_MIN, COL_RATE_MAX, COL_PAIR_RATE, COL_REPETITIONS, COL_TIME, COL_STOP, COL_CHECKED,
	COL_ERRORS,
};

static void fill(const struct bench *b, const struct result *res, struct row *row)
{
	const struct summary *t = &res->time;
	double n = stream_messages(res);

	bench_set(b, row, COL_PAIRS, val_uint(stream_opts.pairs));
	bench_set(b, row, COL_RATE, val_real(n / t->p50));
	bench_set(b, row, COL_RATE_LO, val_real(n / t->hi));
	bench_set(b, row, COL_RATE_HI, val_real(n / t->lo));
	bench_set(b, row, COL_RATE_MIN, val_real(n / t->max));
	bench_set(b, row, COL_RATE_MAX, val_real(n / t->min));
	bench_set(b, row, COL_PAIR_RATE, val_real(n / t->p50 / (double)stream_opts.pairs));
}

static const struct benchmark msgrate = {
	.definition = "msgrate.window-reply.v1",
	.pattern = &pattern_stream,
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.max_log2 = 22,
	.min_ranks = 2,
	.max_loops = 1 << 20,
	.default_ranks = stream_ranks,
	.check = stream_check,
	.arguments = stream_arguments,
	.points = stream_points,
	.loops_asked = stream_loops,
	.fill = fill,
};

const struct command cmd_msgrate = {
	.name = "msgrate",
	.summary = "messages per second with a window of messages in flight",
	.options = stream_options,
	.values = &stream_opts,
	.bench = &msgrate,
};
