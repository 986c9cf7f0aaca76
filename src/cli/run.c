/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/launch.h"
#include "host/share.h"
#include "measure/sweep.h"

/* Where this rank runs, and that its backend runs there, in a job whose ranks others have started. */
static int check_machine(struct run *run, struct job *job)
{
	char why[256] = "", host[64] = "";
	int err = launch_compare(run, job);

	err = err ? err : share_machine(&run->place, run->settings.m.pin, job);
	if (err || !backend_probe(run->be, run->settings.backend_options, why, sizeof(why)))
		return err;
	gethostname(host, sizeof(host) - 1);
	return error_unavailable("backend '%s' cannot run on host '%s': %s", run->be->name, host, why);
}

static int rank_main(struct job *job, void *arg)
{
	struct run *run = arg;
	char own[sizeof(((struct place *)0)->options)];
	int err = job->kind->enter ? check_machine(run, job) : placement_bind(&run->place, job->local_rank);

	if (err)
		job->kind->abort(job, err);
	launch_own_options(run, own, sizeof(own));
	return sweep_run(&run->plan, job, own);
}

static int start_ranks(struct run *run)
{
	bool virtual = settings_virtual(&run->settings);
	int err = ST_OK;

	if (!virtual && !run->job->enter)
		err = placement_make(&run->place, run->settings.m.pin, run->plan.ranks);
	if (!err && run->settings.m.dry_run) {
		if (run->launch.rank <= 0)
			plan_print(&run->plan, stdout);
		return ST_OK;
	}
	if (!err && !virtual)
		err = clock_init((enum timer)run->settings.m.timer);
	if (err)
		return err;
	return run->job->run(run->settings.job_options, &run->launch, run->plan.ranks, placement_ncpus(&run->place),
			     rank_main, run);
}

static json_t *dump_options(const struct run *run)
{
	struct opt_table tables[COMMAND_TABLES];

	return opts_dump(tables, command_tables(run->line, run->cmd, run->be, tables));
}

static int plan(struct run *run)
{
	struct settings *st = &run->settings;
	int err;

	run->settings = run->line->settings;
	st->job = run->job;
	st->job_options = command_line_values(run->line, run->job->options, run->job->options_size);
	st->why_job = run->why;
	st->launch = run->launch;
	err = plan_make(&run->plan, st, run->cmd->bench);
	st->m.backend = run->be->name;
	st->m.job = run->job->name;
	/* the record has the options as they were completed */
	*(struct measuring *)command_line_values(run->line, measuring_options, sizeof(st->m)) = st->m;
	st->options = run->options = dump_options(run);
	return err;
}

int bench_command(struct command_line *line, const struct selection *s)
{
	struct run run = { .line = line, .cmd = &line->cmd, .be = s->be, .job = s->job, .launch = s->launch, .why = s->why };
	int err = launch_enter(&run);

	err = err ? err : plan(&run);
	err = err ? err : start_ranks(&run);
	if (run.job->leave)
		run.job->leave(&run.launch);
	placement_free(&run.place);
	plan_free(&run.plan);
	json_decref(run.options);
	return err;
}
