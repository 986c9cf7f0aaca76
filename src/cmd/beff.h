/* SPDX-License-Identifier: Apache-2.0 */
/* The command that beff --rule hlrs stands for: other patterns, other columns. */
#ifndef NETBENCH_CMD_BEFF_H
#define NETBENCH_CMD_BEFF_H

#include "command.h"

extern const struct command cmd_beff, cmd_beff_hlrs;

#endif
