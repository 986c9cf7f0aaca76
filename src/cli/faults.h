/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of a rank that a launcher has started, before its job begins: in its options, its plan,
 * its modules. A rank that cannot take part still enters its job, which brings the fault to rank 0;
 * that prints it once, and no rank waits for another.
 */
#ifndef NETBENCH_CLI_FAULTS_H
#define NETBENCH_CLI_FAULTS_H

#include "cli/command.h"

/* From here on the first fault of this process is kept. Only where a launcher has started it. */
void faults_keep(void);

/* This process is no part of the launcher's job after all: prints faults, and what was kept. */
void faults_print(void);

/*
 * The end of a command with `status`. Prints what was kept: by the launcher's job, if that is the
 * kind selected, else from here, unless rank 0 prints the same from another process. Returns the
 * exit status.
 */
int faults_end(struct command_line *line, int status);

#endif
