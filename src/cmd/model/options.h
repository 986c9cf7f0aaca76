/* SPDX-License-Identifier: Apache-2.0 */
/* Options of all models. */
#ifndef NETBENCH_CMD_MODEL_OPTIONS_H
#define NETBENCH_CMD_MODEL_OPTIONS_H

#include "model/schedule/operation.h"
#include "options/options.h"

/* Values of the options. */
struct model_values {
	const char *board, *fit, *logp, *loggp, *like, *rdma, *against, *reach, *butterfly;
	uint64_t cards, max_size, min_size, messages, schedule, fft, picture, segment;
	uint64_t destinations, credits;
	double occupation;
	struct numbers sizes, patterns, windows, batches, acks, arities, algorithms;
	bool serial, read, example, measure;
};

extern const struct opt model_options[];

/* Returns the parameters that --rdma lists, or NULL if --rdma names a file or was not given. */
const char *model_rdma_parameters(const struct model_values *o);

/*
 * Patterns of LogGP. Of these, --schedule with LogP allows only one-way, ping-pong and broadcast.
 * After the patterns with closed forms come the collective operations by their own names, except
 * scatter, which is also a pattern.
 */
enum model_pattern {
	ONE_WAY, INTERVAL, STREAM, PINGPONG, EXCHANGE, OUTFARMING, FUNNEL, RING, ALLTOALL, SCATTER,
	BROADCAST, PUSH, PULL, PIPELINE, NMODEL_PATTERNS = PIPELINE + OPERATIONS,
};
extern const char *const model_patterns[];

/* Values of --algorithm. The first ones are the kinds of trees, in the order of enum tree_kind. */
extern const char *const model_algorithms[];

/* Returns whether --pattern names the pattern. */
bool model_lists_pattern(const struct model_values *o, const char *pattern);

/*
 * Returns whether --algorithm names the algorithm, or was not given. A pattern that has no
 * algorithms (NULL) is listed only if --algorithm was not given.
 */
bool model_lists_algorithm(const struct model_values *o, const char *algorithm);

/* Values of --schedule, --picture and --ack. */
enum model_schedule { SCHEDULE_NONE, SCHEDULE_TABLE, SCHEDULE_TREE, SCHEDULE_SVG, SCHEDULE_DOT };
enum model_picture { PICTURE_NONE, PICTURE_TEXT, PICTURE_SVG };
enum model_ack { ACK_REPLY, ACK_EACH };

#endif
