/* SPDX-License-Identifier: Apache-2.0 */
/* From the options of a command that has ranks to its exit status: settings, plan, ranks. */
#ifndef NETBENCH_CLI_RUN_H
#define NETBENCH_CLI_RUN_H

#include "cli/command.h"

/*
 * Plans and measures a command, or visits the hosts of its job, from a line whose job is selected
 * and whose options are bound. Called on the process that the user or a launcher started. Returns
 * the exit status.
 */
int run_ranks(struct command_line *line);

#endif
