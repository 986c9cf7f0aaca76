/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the intervals of a run over time. */
#ifndef NETBENCH_MEASURE_MONITOR_RUN_H
#define NETBENCH_MEASURE_MONITOR_RUN_H

#include "measure/session.h"

/*
 * Calls `measure` at the start of each interval, until the duration or the run is over. All ranks
 * wait for the start without using a processor. In virtual time no time passes between intervals.
 * Collective.
 */
void monitor_run(struct session *s, void (*measure)(struct session *s));

#endif
