/* SPDX-License-Identifier: Apache-2.0 */
/* From a command that looks at the hosts of a job, and measures nothing, to its exit status. */
#ifndef NETBENCH_CLI_VISIT_H
#define NETBENCH_CLI_VISIT_H

#include <stdbool.h>

#include "cli/command.h"

/*
 * Visits the hosts, from a line whose job is selected and whose options are bound. Called on the
 * process that the user or a launcher started. Returns the exit status.
 */
int visit_hosts(struct command_line *line);

#endif
