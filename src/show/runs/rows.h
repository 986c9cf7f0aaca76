/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_RUNS_ROWS_H
#define NETBENCH_SHOW_RUNS_ROWS_H

#include "analyse/runs/judge.h"
#include "result/report.h"

/*
 * Writes judged runs as a result. With one command there is a row for each point. With several
 * commands there is a row for each point of each command except the first. `labels` names the
 * commands. Returns ST_OK, ST_USAGE or ST_FAILED.
 */
int runs_write(const struct output_options *o, struct record *rec, const struct run_table *t,
	       const struct runs_judged *j, const char *const *labels);

#endif
