/* SPDX-License-Identifier: Apache-2.0 */
/* Options of all models. */
#ifndef NETBENCH_CMD_MODEL_OPTIONS_H
#define NETBENCH_CMD_MODEL_OPTIONS_H

#include "options/options.h"

/* Values of the options. */
struct model_values {
	const char *board, *fit, *logp, *loggp, *like, *rdma, *against, *reach, *butterfly;
	uint64_t cards, max_size, min_size, messages, schedule, algorithm, fft, picture, segment;
	uint64_t destinations, credits;
	double occupation;
	struct numbers sizes, patterns, windows, batches, acks, arities;
	bool serial, read, example, measure;
};

extern const struct opt model_options[];

/* Returns the parameters that --rdma lists, or NULL if --rdma names a file or was not given. */
const char *model_rdma_parameters(const struct model_values *o);

/*
 * Patterns of LogGP. Of these, --schedule with LogP allows only one-way, ping-pong and broadcast.
 */
enum model_pattern {
	ONE_WAY, INTERVAL, STREAM, PINGPONG, EXCHANGE, OUTFARMING, FUNNEL, RING, ALLTOALL, SCATTER,
	BROADCAST, PUSH, PULL, PIPELINE, NMODEL_PATTERNS,
};
extern const char *const model_patterns[];

/* Values of --schedule, --picture and --ack. */
enum model_schedule { SCHEDULE_NONE, SCHEDULE_TABLE, SCHEDULE_TREE, SCHEDULE_SVG, SCHEDULE_DOT };
enum model_picture { PICTURE_NONE, PICTURE_TEXT, PICTURE_SVG };
enum model_ack { ACK_REPLY, ACK_EACH };

#endif
