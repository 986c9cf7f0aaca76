/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the windows of msgrate and bandwidth. If windows slide, also finds the knee of each size
 * (eq. 75).
 */
#ifndef NETBENCH_CMD_KNEES_H
#define NETBENCH_CMD_KNEES_H

#include <stdbool.h>

#include "measure/measure.h"

/* Most windows that are measured around the knee of a size. */
#define KNEE_NEIGHBOURS 2

/*
 * Measures all specs of the plan. If windows slide, finds the knee of each size with at least three
 * windows, and sets `knees` of the summary and a line of the footer. With `closer`, it first
 * measures the windows next to each knee. Collective.
 */
void knees_measure(struct session *s, bool closer);

/* Rank 0: keeps the rates of a point. Is called while knees_measure runs. */
void knees_keep_rates(struct session *s, const struct result *res);

#endif
