/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The section on 100 and 1000 ranks. It shows simulated rows, and values of closed forms whose
 * parameters were fitted to a measurement.
 */
#ifndef NETBENCH_CMD_REPORT_SCALING_H
#define NETBENCH_CMD_REPORT_SCALING_H

#include "cmd/report/types.h"
#include "show/page/page.h"

void report_scaling(struct page *to, const struct report *r);

#endif
