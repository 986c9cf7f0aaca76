/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/enter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/choose.h"
#include "base/error.h"

/* What a rank that joins was given beside the options that it takes over. */
static char own_options[OWN_OPTIONS];

const char *enter_own_options(void)
{
	return own_options;
}

/* ---- what ranks have to agree on ---- */

static bool may_differ(const char *name, const struct backend *be)
{
	static const char *const own[] = { "backend", "job", "listen", "join", "rank", "secret-file", "join-timeout",
					   "pin", "quiet", "verbose" };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcmp(own[i], name))
			return true;
	for (const struct opt *o = be->options; o && o->name; o++)
		if (!strcmp(o->name, name))
			return true;
	return false;
}

/* What all ranks have to agree on, in short. */
struct accord {
	char command[24], backend[24];
	uint64_t options;
};

/* Of the options, those that every rank has to give alike. */
static uint64_t digest_options(const struct run *run)
{
	json_t *same = json_copy(run->options);
	uint64_t h = 14695981039346656037U;
	const char *name;
	json_t *value;
	char *text;

	json_object_foreach(run->options, name, value)
		if (may_differ(name, run->be))
			json_object_del(same, name);
	for (const struct opt *o = output_options; o->name; o++)	/* rank 0's alone */
		json_object_del(same, o->name);
	json_object_del(same, "time-limit");
	text = json_dumps(same, JSON_SORT_KEYS);
	for (const char *c = text; c && *c; c++)
		h = (h ^ (unsigned char)*c) * 1099511628211U;
	free(text);
	json_decref(same);
	return h;
}

int enter_check(const struct run *run, struct job *job)
{
	struct accord mine = { .options = digest_options(run) };
	const struct accord *all;
	const char *what = NULL;

	snprintf(mine.command, sizeof(mine.command), "%s", run->cmd->name);
	snprintf(mine.backend, sizeof(mine.backend), "%s", run->be->name);
	all = job->kind->allgather(job, &mine, sizeof(mine));
	for (int r = 1; r < job->size; r++) {
		what = strcmp(all[r].command, all[0].command)  ? "another command"
		       : strcmp(all[r].backend, all[0].backend) ? "another backend"
		       : all[r].options != all[0].options	? "other options"
								: NULL;
		if (what)
			return error_usage("rank %d was started with %s than rank 0", r, what);
	}
	return ST_OK;
}

/* ---- taking part ---- */

/* A rank that joins chooses what concerns its own host, and nothing else. */
static int check_own_options(const struct run *run)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(run->cmd, run->be, tables);

	for (size_t t = 0; t < n; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			if (opts_given(o->name) && !may_differ(o->name, run->be))
				return error_usage("option '--%s' is for the rank that listens to give", o->name);
	return ST_OK;
}

/* Takes the options of the rank that listens, with this rank's own behind them. */
static int follow(struct run *run, int argc, char **argv, int own_argc, char **own_argv)
{
	static char **all;	/* option values point into it to the end */
	struct opt_table tables[COMMAND_TABLES];
	bool help, quiet = output_opts.quiet, verbose = output_opts.verbose;
	int operands, err = ST_OK;
	struct choice theirs;

	if (strcmp(argv[0], run->cmd->name))
		err = error_usage("the job to join runs '%s', not '%s'", argv[0], run->cmd->name);
	else
		run->cmd = command_meant(argc, argv);
	all = calloc((size_t)(argc + own_argc) + 1, sizeof(*all));
	if (!err && !all)
		err = error_report("no memory for the options of the rank that listens");
	err = err ? err : choose(run->cmd, argc, argv, &theirs);
	if (!err && opts_given("backend") && theirs.be != run->be)
		err = error_usage("the job to join runs on backend '%s', not '%s'", theirs.be->name, run->be->name);
	if (err)
		return err;
	run->be = theirs.be;
	memcpy(all, argv, (size_t)argc * sizeof(*all));
	memcpy(all + argc, own_argv + 1, (size_t)(own_argc - 1) * sizeof(*all));
	for (int i = 1; i < own_argc; i++)
		snprintf(own_options + strlen(own_options), sizeof(own_options) - strlen(own_options), "%s%s",
			 *own_options ? " " : "", own_argv[i]);
	err = opts_parse(tables, command_tables(run->cmd, run->be, tables), argc + own_argc - 1, all, &operands,
			 &help);
	error_quiet(quiet);
	error_verbose(verbose);
	return err;
}

/* Options of a job that is not joined would be without effect. */
static int check_joining(const struct run *run)
{
	for (const struct opt *o = job_join.options; o->name; o++)
		if (run->job != &job_join && opts_given(o->name))
			return error_usage("option '--%s' has no meaning in job '%s': it needs '--listen' or '--join'",
					   o->name, run->job->name);
	return ST_OK;
}

int enter_job(struct run *run, int argc, char **argv)
{
	int theirs = argc, err = check_joining(run);
	char **given = argv;

	if (err)
		return err;
	if (run->launch.rank <= 0)
		error_note("job %s: %s, %s", run->job->name, run->job->summary, run->why);
	if (!run->job->enter)
		return ST_OK;
	err = opts_given("join") ? check_own_options(run) : ST_OK;
	if (!err)
		err = run->job->enter(job_options(run->job), &run->launch, &theirs, &given);
	if (!err && given != argv)
		err = follow(run, theirs, given, argc, argv);
	if (run->launch.rank > 0) {	/* rank 0 says what is to be said */
		error_quiet(true);
		error_verbose(false);
	}
	return err;
}
