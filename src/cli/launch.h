/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes a command that has ranks from its options to its exit status. Selects the backend and the
 * job, makes this process a rank if others have started the job, makes the plan, and runs the
 * ranks.
 */
#ifndef NETBENCH_CLI_LAUNCH_H
#define NETBENCH_CLI_LAUNCH_H

#include "cli/command.h"

/*
 * Selects the job and the backend.
 *
 * The job is the first of these: the one that --job names; join, if --listen or --join is given;
 * what the launcher's environment variables say; what the backend needs; fork. The backend is the
 * one that --backend names, or else the one of the job. Its options are added to the command line.
 *
 * Fills be, job and why_job in line->settings, and launch if the launcher's job is the one
 * selected. Reports an unknown name, a module that cannot be loaded, and a backend that does not
 * fit the job. Returns ST_OK or an exit status.
 */
int launch_select(struct command_line *line);

/*
 * Chooses the variant of backend mpi by --mpi, NETBENCH_MPI or the launcher of this process.
 * Chooses its library by --mpi-library or NETBENCH_MPI_LIBRARY. Only this process's own options
 * count, not those that another rank sends. Sets *why to the source of the choice; NULL: no source.
 * launch_select calls this. Returns ST_OK or ST_USAGE.
 */
int launch_choose_mpi(const struct arguments *a, const char **why);

/*
 * Returns true, with the reason in `why`, if a launcher has started this process and this netbench
 * cannot take part in that launcher's jobs. A command that visits hosts then visits this machine
 * only, from the process that is rank 0 for the launcher.
 */
bool launcher_is_unsupported(const struct command_line *line, char *why, size_t len);

/*
 * Plans and measures a command, or visits the hosts of its job. The job must be selected and the
 * options bound. Called in the process that the user or a launcher started. Returns the exit
 * status.
 */
int run_ranks(struct command_line *line);

#endif
