/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What msgrate and bandwidth have in common: windows of messages that end with a reply, between one or
 * more pairs of ranks. They differ in their columns.
 */
#ifndef NETBENCH_CMD_STREAM_H
#define NETBENCH_CMD_STREAM_H

#include "bench.h"

extern const struct opt stream_options[];
extern struct stream_opts {
	struct numbers windows, batches, presets;
	uint64_t loops, pairs;
	bool bidirectional;
} stream_opts;

/* Messages of all pairs in one repetition, over the windows, without the replies. */
double stream_messages(const struct result *res);

/* The hooks of struct benchmark that are the same for both. */
int stream_ranks(int cores);
int stream_check(int ranks, int most);
void stream_arguments(struct pattern_args *args);
struct point *stream_points(const struct numbers *sizes, size_t *n);
uint64_t stream_loops(void);

#endif
