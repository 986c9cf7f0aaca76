/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_RUNS_ROWS_H
#define NETBENCH_SHOW_RUNS_ROWS_H

#include "analyse/runs/judge.h"
#include "result/report.h"

/*
 * Writes a record whose columns follow from what is judged: for one command a row for each point,
 * for several one for each point of each but the first. `labels` name the commands. ST_OK, ST_USAGE
 * or ST_FAILED.
 */
int runs_write(const struct output_options *o, struct record *rec, const struct run_table *t,
	       const struct runs_judged *j, const char *const *labels);

#endif
