/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What msgrate and bandwidth have in common: windows of messages that end with a reply, between one or
 * more pairs of ranks. They differ in their columns.
 */
#ifndef NETBENCH_CMD_STREAM_H
#define NETBENCH_CMD_STREAM_H

#include "measure/bench.h"

extern const struct opt stream_options[];
extern struct stream_opts {
	struct numbers windows, batches, presets;
	uint64_t loops, pairs;
	bool bidirectional;
} stream_opts;

/* The columns that say how much went through per second. */
struct stream_columns {
	enum column_id median, lo, hi, min, max, pair;
};

/*
 * Sets these cells, and `pairs`, for a repetition that moved `each` (1, or the bytes of a message) with every
 * message of the windows; replies do not count. What 0 moves has no rate: the cells stay empty.
 */
void stream_fill(const struct bench *b, const struct result *res, struct row *row, double each,
		 const struct stream_columns *cols);

/* The members of struct benchmark that are the same for both. */
#define STREAM_BENCHMARK                                                                           \
	.max_log2 = 22, .min_ranks = 2, .max_loops = 1 << 20,                                      \
	.default_ranks = stream_ranks, .check = stream_check, .arguments = stream_arguments,       \
	.points = stream_points, .loops_asked = stream_loops

int stream_ranks(int cores);
int stream_check(int ranks, int most);
void stream_arguments(struct pattern_args *args, const struct point *pt, uint64_t draw);
struct point *stream_points(const struct run *run, size_t *n);
uint64_t stream_loops(void);
bool stream_observe(const struct bench *b, const struct result *res, struct observation *o);

#endif
