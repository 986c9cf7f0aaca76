/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a command that has ranks, from its options to its exit status. Selects the backend and the
 * job. If others have started the job, makes this process a rank of it. Makes the plan, and runs
 * the ranks.
 */
#ifndef NETBENCH_CLI_LAUNCH_H
#define NETBENCH_CLI_LAUNCH_H

#include "cli/command.h"

/*
 * Selects the job and the backend.
 *
 * The job is the first that applies: the job that --job names; join, if --listen or --join is
 * given; the launcher's job, according to its environment variables; the job that the backend
 * needs; fork. The backend is the one that --backend names, or else the job's own backend. The
 * backend's options are added to the command line.
 *
 * Fills be, job and why_job in line->settings. Also fills launch if the selected job is the
 * launcher's. Reports an unknown name, a module that cannot be loaded, and a backend that does not
 * fit the job. Returns ST_OK or an exit status.
 */
int launch_select(struct command_line *line);

/*
 * Chooses the variant of backend mpi according to --mpi, NETBENCH_MPI or the launcher of this
 * process. Chooses the MPI library according to --mpi-library or NETBENCH_MPI_LIBRARY. Uses only
 * this process's own options, not those that another rank sends. Sets *why to what determined the
 * choice ("--mpi" for example); NULL if nothing did. launch_select calls this function. Returns
 * ST_OK or ST_USAGE.
 */
int launch_choose_mpi(const struct arguments *a, const char **why);

/*
 * Returns true if a launcher has started this process, but this netbench cannot take part in the
 * launcher's jobs; `why` gets the reason. A command that visits hosts then examines only one
 * machine: that of the launcher's rank 0.
 */
bool launcher_is_unsupported(const struct command_line *line, char *why, size_t len);

/*
 * Plans and runs the measurement of a command, or examines the hosts of its job. The job must be
 * selected and the options bound. Called in the process that the user or a launcher started.
 * Returns the exit status.
 */
int run_ranks(struct command_line *line);

#endif
