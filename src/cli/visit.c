/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/visit.h"

#include <stdio.h>

#include "base/error.h"
#include "cli/launch.h"
#include "host/share.h"

static int rank_main(struct job *job, void *arg)
{
	const struct command_line *line = arg;
	const struct settings *st = &line->settings;
	struct placement place = { .nranks = 0 };
	int err = ST_OK;

	if (job->kind->enter)
		err = launch_compare(st, job);
	if (!err && job->kind->enter)
		err = share_machine(&place, "none", job);
	if (err)
		job->kind->abort(job, err);
	placement_free(&place);
	return line->cmd.visit(job, st);
}

/* The ranks of the job that was launched, or as many as asked for. */
static int count_ranks(const struct command_line *line, int *ranks)
{
	const struct settings *st = &line->settings;
	uint64_t asked = line->cmd.visitors ? line->cmd.visitors(st) : 0;

	if (st->job == &job_sim)
		return error_usage("job 'sim' has no hosts to look at: fork, mpi, join");
	if (st->launch.size && asked && asked != (uint64_t)st->launch.size)
		return error_usage("value '%llu' of '--ranks' is not the number of ranks that %s "
				   "has started: %d", (unsigned long long)asked, st->launch.by,
				   st->launch.size);
	if (!st->launch.size && st->job == &job_join && !asked)
		return error_usage("option '--listen' needs '--ranks', how many there are");
	*ranks = st->launch.size ? st->launch.size : asked ? (int)asked : 1;
	if (*ranks <= st->job->max_ranks)
		return ST_OK;
	return error_usage("value '%d' of '--ranks' is out of range: 1 to %d in job '%s'", *ranks,
			   st->job->max_ranks, st->job->name);
}

int visit_hosts(struct command_line *line)
{
	struct settings *st = &line->settings;
	struct placement place = { .nranks = 0 };
	int ranks = 0, cpus = 1, err = launch_enter(line);

	if (!err)
		err = count_ranks(line, &ranks);
	st->job_options = command_line_values(line, st->job->options, st->job->options_size);
	if (!err && !st->job->enter)
		err = placement_make(&place, "none", ranks);
	if (!err && !st->job->enter)
		cpus = place.npus;
	st->launch.command = st->command;
	if (!err)
		err = st->job->run(st->job_options, &st->launch, ranks, cpus, rank_main, line);
	if (st->job->leave)
		st->job->leave(&st->launch);
	placement_free(&place);
	return err;
}
