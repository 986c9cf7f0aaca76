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

/*
 * True if a launcher has started this process, in whose jobs this netbench cannot take part: why
 * not. A visit then is of this machine alone, by what is rank 0 for the launcher.
 */
bool visit_is_alone(const struct command_line *line, char *why, size_t len);

#endif
