/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What commands do with the rows of a run over time: find changes and flaps, and write metrics.
 */
#ifndef NETBENCH_CMD_MONITOR_H
#define NETBENCH_CMD_MONITOR_H

#include "measure/monitor/state.h"

extern const struct monitor_hooks monitor_changes;

#endif
