/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles faults that a rank started by a launcher finds before its job begins: in its options,
 * plan or modules. Although it cannot take part, the rank enters its job, which sends the fault to
 * rank 0. So rank 0 prints the fault once, and the other ranks do not wait for the failed one.
 */
#ifndef NETBENCH_CLI_FAULTS_H
#define NETBENCH_CLI_FAULTS_H

#include "cli/command.h"

/*
 * From now on keeps the first fault of this process instead of printing it. Call it only in a
 * process that a launcher has started.
 */
void faults_keep(void);

/*
 * Prints the kept fault; from now on faults are printed at once. Call it if this process turns out
 * not to be part of the launcher's job.
 */
void faults_print(void);

/*
 * Ends a command that returned `status`; returns the exit status. If a fault was kept and the
 * launcher's job is selected, this job prints the fault. Otherwise the first rank of each host
 * prints it. Ranks other than 0 first wait 2 s, because the launcher may end them once rank 0 has
 * reported the same fault.
 */
int faults_end(struct command_line *line, int status);

#endif
