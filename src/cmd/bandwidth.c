/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes per second of the exchange that msgrate counts in messages. */
#include "cmd/stream.h"

static const enum column_id cols[] = {
	COL_SIZE, COL_WINDOW, COL_BATCH, COL_LOOPS, COL_BANDWIDTH, COL_BANDWIDTH_LO, COL_BANDWIDTH_HI, COL_BANDWIDTH_MIN,
	COL_BANDWIDTH_MAX, COL_REPETITIONS, COL_ERRORS, COL_STOP,
	/* in files only */
	COL_PAIRS, COL_PAIR_BANDWIDTH, COL_TIME, COL_CHECKED, COL_TIME_ACF1, COL_LATE,
};

static void fill(const struct bench *b, const struct result *res, struct row *row)
{
	static const struct stream_columns per_second = { COL_BANDWIDTH,     COL_BANDWIDTH_LO,  COL_BANDWIDTH_HI,
							  COL_BANDWIDTH_MIN, COL_BANDWIDTH_MAX, COL_PAIR_BANDWIDTH };

	stream_fill(b, res, row, (double)res->pt->size, &per_second);
}

static const struct benchmark bandwidth = {
	STREAM_BENCHMARK,
	.pattern = &pattern_stream,
	.observe = stream_observe,
	.definition = "bandwidth.window-reply.v1",
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.ntable = sizeof(cols) / sizeof(cols[0]) - 6,
	.fill = fill,
};

/* One-sided: windows of reads, without a reply. */
static const struct benchmark bandwidth_read = {
	STREAM_BENCHMARK,
	.pattern = &pattern_read,
	.definition = "bandwidth.window-read.v1",
	.cols = cols,
	.ncols = sizeof(cols) / sizeof(cols[0]),
	.ntable = sizeof(cols) / sizeof(cols[0]) - 6,
	.fill = fill,
};

static const struct mode read_mode = {
	.by = { "op", .value = "read" },
	.summary = "bytes per second with a window of reads in flight",
	.bench = &bandwidth_read,
};

const struct command cmd_bandwidth = {
	.name = "bandwidth",
	.summary = "bytes per second with a window of messages in flight",
	.options = stream_options,
	.values = &stream_opts,
	.bench = &bandwidth,
	.modes = (const struct mode *const[]){ &read_mode, NULL },
};
