/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a network should reach, by formula: model.c has the options and finds the model that is asked for; each model
 * is a file of its own (model_board.c and so on).
 */
#ifndef NETBENCH_CMD_MODEL_H
#define NETBENCH_CMD_MODEL_H

#include "command.h"
#include "options.h"
#include "report/report.h"

extern struct model_opts {
	const char *board, *fit;
	uint64_t cards, max_size, min_size;
	struct numbers sizes;
	bool serial;
} model_opts;

/* The command that --measure stands for. */
extern const struct command cmd_model, cmd_model_measure;

/* The models: each computes and writes its report, and returns the exit status. */
int model_board(void);
int model_fit(void);

/* The message sizes that --sizes or --max-size and --min-size give. The caller frees sizes->v. ST_OK, ST_USAGE or ST_FAILED. */
int model_sizes(struct numbers *sizes);

/*
 * Writes a report where --format and --output say: what begins it, the rows that `rows` writes, what ends it. Sets the
 * record's command, options, computed and status, takes over and frees environment, summary and warnings, of which those that
 * are NULL are made. ST_OK or a fault, which has been reported.
 */
int model_write(struct record *rec, int (*rows)(struct report *r, const struct record *rec, const void *arg),
		const void *arg);

#endif
