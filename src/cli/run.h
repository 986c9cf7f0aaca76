/* SPDX-License-Identifier: Apache-2.0 */
/* From a measuring command's options to its exit status: settings, plan, ranks. */
#ifndef NETBENCH_CLI_RUN_H
#define NETBENCH_CLI_RUN_H

#include "cli/command.h"
#include "host/pin.h"
#include "measure/plan.h"

/* A run of a command that measures, on the process that a user or a launcher has started; every rank has it. */
struct run {
	struct command_line *line;	/* of the user */
	const struct command *cmd;
	const struct backend *be;
	const struct job_kind *job;
	const char *why;		/* this kind of job */
	struct launch launch;
	json_t *options;		/* every option's value */
	struct settings settings;
	struct plan plan;
	struct placement place;		/* of the ranks on this machine; made here if netbench starts them */
};

/*
 * Plans and measures a command: from a line whose options are bound to the exit status. Called on
 * the process that the user or a launcher started.
 */
struct selection;
int bench_command(struct command_line *line, const struct selection *s);

#endif
