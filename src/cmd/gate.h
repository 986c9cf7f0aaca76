/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate of a night, for `history gate` and `compare --history`: it raises an alarm if tonight's
 * runs are slower.
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
	double margin; /* margin; 0.05 for 5 % */
	const char *measure; /* column to judge; NULL: the main one */
};

/*
 * Judges three runs of tonight, or six after an alarm, against the nights of the history. Writes
 * the result. Returns (with a report):
 * - ST_OK: not slower.
 * - ST_FAILED: slower, in the first three runs and in three more.
 * - ST_NO_VERDICT: an alarm after three runs, or too few nights.
 * - another status after an error.
 */
int gate_run(const struct settings *st, const struct gate_request *ask);

#endif
