/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges a night, for `history gate` and `compare --history`. Raises an alarm if tonight's runs are
 * slower than the runs of earlier nights.
 */
#ifndef NETBENCH_CMD_GATE_H
#define NETBENCH_CMD_GATE_H

#include "measure/plan/settings.h"
#include "options/options.h"

/* A request to judge a night. */
struct gate_request {
	struct texts history; /* directories of histories, or files of results */
	char **fresh; /* files of tonight's runs */
	int n;
	double margin; /* margin as a share: 0.05 for 5 % */
	const char *measure; /* column to judge; NULL: the main one */
};

/*
 * Judges three runs of tonight, or six after an alarm, against the nights of the history. Writes
 * the result. Returns (with a report):
 * - ST_OK: not slower.
 * - ST_FAILED: slower in the first three runs and again in three more runs.
 * - ST_NO_VERDICT: three runs are slower (alarm), or there are too few nights.
 * - another status after an error.
 */
int gate_run(const struct settings *st, const struct gate_request *ask);

#endif
