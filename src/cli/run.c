/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/launch.h"
#include "host/share.h"
#include "measure/sweep.h"
#include "options/types.h"

/* What the ranks of this process get. */
struct local_run {
	struct plan plan;
	struct placement place;	/* of the ranks here; made before them if netbench starts them */
};

/* Binds a rank that others have started, and checks that its backend runs on its machine. */
static int check_machine(struct local_run *run, struct job *job)
{
	const struct settings *st = run->plan.settings;
	char why[256] = "", host[64] = "";
	int err = launch_compare(st, job);

	if (!err)
		err = share_machine(&run->place, st->m.pin, job);
	if (err || !backend_probe(st->be, st->backend_options, why, sizeof(why)))
		return err;
	gethostname(host, sizeof(host) - 1);
	return error_unavailable("backend '%s' cannot run on host '%s': %s", st->be->name, host,
				 why);
}

static int rank_main(struct job *job, void *arg)
{
	struct local_run *run = arg;
	const struct settings *st = run->plan.settings;
	char own[sizeof(((struct place *)0)->options)];
	int err;

	err = job->kind->enter ? check_machine(run, job)
			       : placement_bind(&run->place, job->local_rank);
	if (err)
		job->kind->abort(job, err);
	launch_own_options(st, own, sizeof(own));
	return sweep_run(&run->plan, job, own);
}

static int start_ranks(struct local_run *run, struct settings *st)
{
	bool virtual = settings_virtual(st);
	int err = ST_OK;

	if (!virtual && !st->job->enter)
		err = placement_make(&run->place, st->m.pin, run->plan.ranks);
	if (!err && st->m.dry_run) {
		if (st->launch.rank <= 0)
			plan_print(&run->plan, stdout);
		return ST_OK;
	}
	if (!err && !virtual)
		err = clock_init((enum timer)st->m.timer);
	if (err)
		return err;
	st->launch.command = st->command;
	st->launch.stall_s = st->m.stall;
	st->launch.limit_s = run->plan.limit.seconds;
	return st->job->run(st->job_options, &st->launch, run->plan.ranks,
			    placement_ncpus(&run->place), rank_main, run);
}

static int make_plan(struct plan *plan, struct command_line *line)
{
	struct settings *st = &line->settings;
	struct opt_table tables[COMMAND_TABLES];
	int err;

	st->job_options = command_line_values(line, st->job->options, st->job->options_size);
	err = plan_make(plan, st, line->cmd.bench);
	st->m.backend = st->be->name;
	st->m.job = st->job->name;
	/* the record has the options as they were completed */
	*(struct measuring *)command_line_values(line, measuring_options, sizeof(st->m)) = st->m;
	st->options = opts_dump(tables, command_tables(line, &line->cmd, st->be, tables));
	return err;
}

int run_benchmark(struct command_line *line)
{
	struct settings *st = &line->settings;
	struct local_run run = { 0 };
	int err = launch_enter(line);

	if (!err)
		err = make_plan(&run.plan, line);
	if (!err)
		err = start_ranks(&run, st);
	if (st->job->leave)
		st->job->leave(&st->launch);
	placement_free(&run.place);
	plan_free(&run.plan);
	return err;
}
