/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the options of a command that has ranks to its exit status. Selects backend and job, makes
 * this process a rank of a job that others have started, makes the plan, and runs the ranks.
 */
#ifndef NETBENCH_CLI_LAUNCH_H
#define NETBENCH_CLI_LAUNCH_H

#include "cli/command.h"

/*
 * Selects the job: what --job names; with --listen or --join, join; else what the launcher's
 * environment says; else what the backend needs; else fork. And the backend: what --backend names,
 * else that of the job; its options are added to those of the line. Fills be, job, why_job and
 * launch (only if that launcher's job is the one selected) in line->settings. Reports an unknown
 * name, what cannot be loaded, and what does not go together. ST_OK or an exit status.
 */
int launch_select(struct command_line *line);

/*
 * Chooses the variant of backend mpi by --mpi, NETBENCH_MPI or what launched this process. Chooses
 * its library by --mpi-library or NETBENCH_MPI_LIBRARY. Only what this process was given counts,
 * not what another rank sends. Yields which of them it was, NULL if none. ST_OK or ST_USAGE.
 * launch_select does this.
 */
int launch_choose_mpi(const struct arguments *a, const char **why);

/*
 * True if a launcher has started this process, in whose jobs this netbench cannot take part: why
 * not. A visit then is of this machine alone, by what is rank 0 for the launcher.
 */
bool launch_is_alone(const struct command_line *line, char *why, size_t len);

/*
 * Plans and measures a command, or visits the hosts of its job. The line's job is selected, and its
 * options are bound. Called on the process that the user or a launcher started. Returns the exit
 * status.
 */
int run_ranks(struct command_line *line);

#endif
