/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of a rank that a launcher has started, found before its job begins: in its options, its
 * plan or its modules. A rank that cannot take part still enters its job, which sends the fault to
 * rank 0. Rank 0 prints it once, and no rank waits for another.
 */
#ifndef NETBENCH_CLI_FAULTS_H
#define NETBENCH_CLI_FAULTS_H

#include "cli/command.h"

/*
 * From now on the first fault of this process is kept instead of printed. Only for a process that a
 * launcher has started.
 */
void faults_keep(void);

/*
 * For a process that turns out not to be part of the launcher's job: prints the kept fault, and
 * prints further faults at once.
 */
void faults_print(void);

/*
 * Ends a command that returned `status`. If a fault was kept, prints it through the launcher's job,
 * provided that this job is selected. Otherwise this process prints it, unless rank 0, another
 * process, prints the same. Returns the exit status.
 */
int faults_end(struct command_line *line, int status);

#endif
