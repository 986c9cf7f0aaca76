/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a command that measures gets its backend and its job, how this process takes its place in a
 * job that others have started, and that the ranks of such a job mean the same.
 */
#ifndef NETBENCH_CLI_LAUNCH_H
#define NETBENCH_CLI_LAUNCH_H

#include "cli/command.h"
#include "job/job.h"
#include "transport/backend.h"

struct run;

/* The backend and the job that a command line asks for. */
struct selection {
	const struct backend *be;
	const struct job_kind *job;
	struct launch launch;	/* by whom this process was started, if the job is one of those */
	const char *why;	/* this kind of job */
};

/*
 * The job: what --job names; with --listen or --join, join; else what the launcher's environment
 * says; else what the backend needs; else fork. The backend: what --backend names, else that of the
 * job; its options are added to those of the line. Reports an unknown name, what cannot be loaded,
 * and what does not go together. ST_OK or an exit status.
 */
int launch_select(struct command_line *line, struct selection *s);

/*
 * Takes this process's place in a job that others have started, if it is one of those: then
 * run->launch is filled in, and a rank that joins has the options of the rank that listens, with
 * its own behind them, in run->line. ST_OK or an exit status.
 */
int launch_enter(struct run *run);

/*
 * Ranks that others have started have command lines of their own, which may contradict each other.
 * Collective. ST_OK, or ST_USAGE after saying which rank was started with what else than rank 0.
 */
int launch_compare(const struct run *run, struct job *job);

/* What this rank, if it joined, was given beside the options that it took over; "" if nothing. */
void launch_own_options(const struct run *run, char *text, size_t len);

#endif
