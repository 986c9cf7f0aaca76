/* SPDX-License-Identifier: Apache-2.0 */
/* Which kind of job and which backend a command line means, before its options can be parsed. */
#ifndef NETBENCH_CLI_CHOOSE_H
#define NETBENCH_CLI_CHOOSE_H

#include "job/job.h"
#include "transport/backend.h"
#include "cli/command.h"

struct choice {
	const struct backend *be;
	const struct job_kind *job;
	struct launch launch;	/* by whom this process was started, if the job is one of those */
	const char *why;	/* this kind of job */
};

/*
 * For a command that measures. The job: what --job names; with --listen or --join, join; else what the
 * launcher's environment says; else what the backend needs; else fork. The backend: what --backend names, else
 * that of the job. Reports an unknown name, what cannot be loaded, and what does not go together.
 * argv[0] is the command's name. ST_OK or an exit status.
 */
int choose(const struct command *cmd, int argc, char **argv, struct choice *c);

#endif
