/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Selects the backend and the job of a command that measures, makes this process a rank of a job
 * that others have started, and checks that the ranks of such a job were started alike.
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
 * Chooses the variant of backend mpi by --mpi, NETBENCH_MPI or what launched this process, and its
 * library by --mpi-library or NETBENCH_MPI_LIBRARY: by what this process was given, and nothing
 * that another rank says. Yields which of them it was, NULL if none. ST_OK or ST_USAGE.
 * launch_select does this.
 */
int launch_choose_mpi(const struct arguments *a, const char **why);

/*
 * Makes this process a rank of a job that others have started, if the selected job is such a job:
 * fills settings.launch; a rank that joins gets the options of the rank that listens, with its own
 * behind them. ST_OK or an exit status.
 */
int launch_enter(struct command_line *line);

/*
 * Compares the command lines of ranks that others have started. Collective. ST_OK, or ST_USAGE
 * after reporting a rank that was started with another command, backend or options than rank 0.
 */
int launch_compare(const struct settings *st, struct job *job);

/* The options that this rank, if it joined, was given beside those it took over; "" if none. */
void launch_own_options(const struct settings *st, char *text, size_t len);

/*
 * True if a launcher has started this process, in whose jobs this netbench cannot take part: why
 * not. A visit then is of this machine alone, by what is rank 0 for the launcher.
 */
bool launch_is_alone(const struct command_line *line, char *why, size_t len);

#endif
