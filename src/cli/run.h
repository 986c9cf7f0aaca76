/* SPDX-License-Identifier: Apache-2.0 */
/* From a measuring command's options to its exit status: settings, plan, ranks. */
#ifndef NETBENCH_CLI_RUN_H
#define NETBENCH_CLI_RUN_H

#include "cli/command.h"

/*
 * Plans and measures a command, from a line whose job is selected and whose options are bound.
 * Called on the process that the user or a launcher started. Returns the exit status.
 */
int run_benchmark(struct command_line *line);

#endif
