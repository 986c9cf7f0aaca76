/* SPDX-License-Identifier: Apache-2.0 */
/* Begins a run over time, or goes on with an earlier one (--resume). */
#ifndef NETBENCH_MEASURE_MONITOR_RESUME_H
#define NETBENCH_MEASURE_MONITOR_RESUME_H

#include "measure/monitor/state.h"

/*
 * Rank 0: makes the state of a run over time. If the file of --resume has content, checks that it
 * comes from the same command line, ranks and hosts as `rec`, passes the rows of its complete
 * intervals to the command, and cuts the file after them. Returns ST_OK or ST_* (reported). Call
 * monitor_free() in either case.
 */
int monitor_open(struct session *s, const struct record *rec, struct monitor **to);

#endif
