/* SPDX-License-Identifier: Apache-2.0 */
/* How this process takes its place in a job, and that the ranks of a job mean the same. */
#ifndef NETBENCH_CLI_ENTER_H
#define NETBENCH_CLI_ENTER_H

#include "cli/run.h"

/*
 * Takes this process's place in a job that others have started, if it is one of those: then run->launch is
 * filled in, and a rank that joins has the options of the rank that listens, with its own behind them. argv is the
 * command's line, argv[0] its name. ST_OK or an exit status.
 */
int enter_job(struct run *run, int argc, char **argv);

/*
 * Ranks that others have started have command lines of their own, which may contradict each other. Collective.
 * ST_OK, or ST_USAGE after saying which rank was started with what else than rank 0.
 */
int enter_check(const struct run *run, struct job *job);

/* What this rank, if it joined, was given beside the options that it took over; "" if nothing. */
#define OWN_OPTIONS 120
const char *enter_own_options(void);

#endif
