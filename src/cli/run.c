/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/launch.h"
#include "host/share.h"
#include "measure/sweep.h"
#include "options/types.h"

/* What the ranks of this process get. */
struct local_run {
	struct command_line *line;
	struct plan plan;		/* of a command that measures */
	int ranks;
	const char *pin;
	struct placement place;	/* of the ranks here; made before them if netbench starts them */
};

/* Binds a rank that others have started, and checks that its backend runs on its machine. */
static int check_machine(struct local_run *run, struct job *job)
{
	const struct settings *st = &run->line->settings;
	char why[256] = "", host[64] = "";
	int err = launch_compare(st, job);

	if (!err)
		err = share_machine(&run->place, run->pin, job);
	if (err || run->line->cmd.visit ||
	    !backend_probe(st->be, st->backend_options, why, sizeof(why)))
		return err;
	gethostname(host, sizeof(host) - 1);
	return error_unavailable("backend '%s' cannot run on host '%s': %s", st->be->name, host,
				 why);
}

static int run_rank(struct job *job, void *arg)
{
	struct local_run *run = arg;
	const struct settings *st = &run->line->settings;
	char own[sizeof(((struct place *)0)->options)];
	int err = job->kind->enter ? check_machine(run, job)
				   : placement_bind(&run->place, job->local_rank);

	if (err)
		job->kind->abort(job, err);
	if (run->line->cmd.visit)
		return run->line->cmd.visit(job, st);
	launch_own_options(st, own, sizeof(own));
	return sweep_run(&run->plan, job, own);
}

static int start_ranks(struct local_run *run)
{
	struct settings *st = &run->line->settings;
	bool virtual = settings_virtual(st);
	int err = ST_OK;

	if (!virtual && !st->job->enter)
		err = placement_make(&run->place, run->pin, run->ranks);
	if (!err && st->m.dry_run) {
		if (st->launch.rank <= 0)
			plan_print(&run->plan, stdout);
		return ST_OK;
	}
	if (!err && !virtual && run->line->cmd.bench)
		err = clock_init((enum timer)st->m.timer);
	if (err)
		return err;
	st->launch.command = st->command;
	st->launch.stall_s = st->m.stall;
	st->launch.limit_s = run->plan.limit.seconds;
	return st->job->run(st->job_options, &st->launch, run->ranks, placement_ncpus(&run->place),
			    run_rank, run);
}

static int make_plan(struct local_run *run)
{
	struct command_line *line = run->line;
	struct settings *st = &line->settings;
	struct opt_table tables[COMMAND_TABLES];
	int err = plan_make(&run->plan, st, line->cmd.bench);

	run->ranks = run->plan.ranks;
	run->pin = st->m.pin;
	st->m.backend = st->be->name;
	st->m.job = st->job->name;
	/* the record has the options as they were completed */
	*(struct measuring *)command_line_values(line, measuring_options, sizeof(st->m)) = st->m;
	st->options = opts_dump(tables, command_tables(line, &line->cmd, st->be, tables));
	return err;
}

/* A visit is of the ranks of the job that was launched, or of as many as asked for. */
static int count_visitors(struct local_run *run)
{
	const struct settings *st = &run->line->settings;
	uint64_t asked = run->line->cmd.visitors ? run->line->cmd.visitors(st) : 0;
	int launched = st->launch.size;

	if (st->job == &job_sim)
		return error_usage("job 'sim' has no hosts to look at: fork, mpi, join");
	if (launched && asked && asked != (uint64_t)launched)
		return error_usage("value '%llu' of '--ranks' is not the number of ranks that %s "
				   "has started: %d", (unsigned long long)asked, st->launch.by,
				   launched);
	if (!launched && st->job == &job_join && !asked)
		return error_usage("option '--listen' needs '--ranks', how many there are");
	run->pin = "none";
	run->ranks = launched ? launched : asked ? (int)asked : 1;
	if (run->ranks <= st->job->max_ranks)
		return ST_OK;
	return error_usage("value '%d' of '--ranks' is out of range: 1 to %d in job '%s'",
			   run->ranks, st->job->max_ranks, st->job->name);
}

int run_ranks(struct command_line *line)
{
	struct settings *st = &line->settings;
	struct local_run run = { .line = line };
	int err = launch_enter(line);

	st->job_options = command_line_values(line, st->job->options, st->job->options_size);
	if (!err)
		err = line->cmd.bench ? make_plan(&run) : count_visitors(&run);
	if (!err)
		err = start_ranks(&run);
	if (st->job->leave)
		st->job->leave(&st->launch);
	placement_free(&run.place);
	plan_free(&run.plan);
	return err;
}
