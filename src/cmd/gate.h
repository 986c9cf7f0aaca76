/* SPDX-License-Identifier: Apache-2.0 */
/* The gate of a night, as `history gate` and `compare --history` have it. */
#ifndef NETBENCH_CMD_GATE_H
#define NETBENCH_CMD_GATE_H

#include "measure/plan/settings.h"
#include "options/options.h"

/* What is judged. */
struct gate_ask {
	struct texts history; /* directories of histories, and files of results */
	char **fresh; /* files of tonight's runs */
	int n;
	double margin; /* 0.05 for 5 % */
	const char *measure; /* a column; NULL: the main one */
};

/*
 * Judges three runs of tonight, or six after an alarm, against the nights of the history, and
 * writes the result. ST_OK: not slower. ST_FAILED: slower, and so were three more runs.
 * ST_NO_VERDICT: an alarm, or too few nights. Or another fault. All are reported.
 */
int gate_run(const struct settings *st, const struct gate_ask *ask);

#endif
