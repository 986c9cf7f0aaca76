/* SPDX-License-Identifier: Apache-2.0 */
/* What the channels of an FPGA board should reach. */
#ifndef NETBENCH_CMD_MODEL_BOARD_H
#define NETBENCH_CMD_MODEL_BOARD_H

#include "cmd/model/form.h"

int board_plan(struct asked *a);
void board_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);

#endif
