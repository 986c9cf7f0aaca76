/* SPDX-License-Identifier: Apache-2.0 */
/* Messages per second in windows that end with a reply; the reply's time counts. */
#include "cmd/stream.h"

static const enum column_id cols[] = {
	COL_SIZE, COL_WINDOW, COL_BATCH, COL_LOOPS, COL_RATE, COL_RATE_LO, COL_RATE_HI, COL_RATE_MIN,
	COL_RATE_MAX, COL_REPETITIONS, COL_ERRORS, COL_STOP,
	/* in files only */
	COL_PAIRS, COL_PAIR_RATE, COL_TIME, COL_CHECKED, COL_TIME_ACF1, COL_LATE,
};

static void fill(const struct bench *b, const struct result *res, struct row *row)
{
	static const struct stream_columns per_second = { COL_RATE,     COL_RATE_LO,  COL_RATE_HI,
							  COL_RATE_MIN, COL_RATE_MAX, COL_PAIR_RATE };

	stream_fill(b, res, row, 1, &per_second);
}

static const struct benchmark msgrate = {
	STREAM_BENCHMARK,
	.pattern = &pattern_stream,
	.observe = stream_observe,
	.definition = "msgrate.window-reply.v1",
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.ntable = sizeof(cols) / sizeof(cols[0]) - 6,
	.fill = fill,
};

/* One-sided: windows of reads, without a reply. */
static const struct benchmark msgrate_read = {
	STREAM_BENCHMARK,
	.pattern = &pattern_read,
	.definition = "msgrate.window-read.v1",
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.ntable = sizeof(cols) / sizeof(cols[0]) - 6,
	.fill = fill,
};

static const struct mode read_mode = {
	.by = { "op", .value = "read" },
	.summary = "messages per second with a window of reads in flight",
	.bench = &msgrate_read,
};

const struct command cmd_msgrate = {
	.name = "msgrate",
	.summary = "messages per second with a window of messages in flight",
	.options = stream_options,
	.values = &stream_opts,
	.bench = &msgrate,
	.modes = (const struct mode *const[]){ &read_mode, NULL },
};
