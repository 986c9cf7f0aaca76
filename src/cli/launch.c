/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/launch.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/suggest.h"
#include "host/share.h"
#include "measure/sweep.h"
#include "model/parameters.h"
#include "options/files.h"
#include "options/types.h"
#include "transport/registry.h"

/* ---- backend and job ---- */

static const char *backend_name_at(size_t i, void *arg)
{
	return backend_name(i);
}

/*
 * Names of networks and libraries that a user may give instead of a backend's name, and the backend
 * of each.
 */
static const struct {
	const char *word, *backend;
} backend_synonyms[] = {
	{ "infiniband", "verbs" }, { "ib", "verbs" },	  { "rdma", "verbs" },
	{ "roce", "verbs" },	   { "ibverbs", "verbs" }, { "ethernet", "tcp" },
	{ "ip", "tcp" },	   { "socket", "tcp" },	  { "sockets", "tcp" },
	{ "openmpi", "mpi" },	   { "mpich", "mpi" },	  { "mvapich", "mpi" },
	{ "local", "shm" },	   { "memory", "shm" },	  { "xrt", "fpga" },
	{ "simulator", "sim" },
};

/* Finds the backend of this name. Reports an unknown name, or a backend that cannot be loaded. */
static int find_backend(const char *name, const struct backend **be)
{
	char why[512];
	const char *near;

	*be = backend_find(name, why, sizeof(why));
	if (*be)
		return ST_OK;
	if (why[0])
		return error_unavailable("backend '%s' cannot be loaded: %s", name, why);
	near = suggest(name, backend_name_at, NULL);
	for (size_t i = 0; i < LENGTH(backend_synonyms); i++)
		if (!strcasecmp(backend_synonyms[i].word, name))
			near = backend_synonyms[i].backend;
	if (!near && !backend_is_name(name))
		return error_usage("'%s' is not a name of a backend: names have a-z, 0-9, _ and -, "
				   "and 'netbench list' shows them", name);
	return near ? error_usage("unknown backend '%s', did you mean '%s'?", name, near)
		    : error_usage("unknown backend '%s'; 'netbench list' shows all backends",
				  name);
}

/* Finds a kind of job by name: a built-in kind, or the kind of the backend of this name. */
static int find_job(const char *name, const char *why, struct settings *st)
{
	const struct backend *be;
	char reason[512];

	st->why_job = why;
	st->job = job_find(name);
	if (st->job)
		return ST_OK;
	be = backend_find(name, reason, sizeof(reason));
	if (be && be->job && !strcmp(be->job->name, name)) {
		st->job = be->job;
		return ST_OK;
	}
	if (!be && reason[0])
		return error_unavailable("job '%s' (%s) cannot be loaded: %s%s", name, why, reason,
					 job_launch("join").by ?
					 "; try '--job join', which needs no MPI" : "");
	return error_usage("unknown job '%s': known are fork, sim, mpi, join", name);
}

/* ---- which MPI ---- */

#define MPI "mpi"	/* both the name of the job and of its backend */

int launch_choose_mpi(const struct arguments *a, const char **why)
{
	const struct launch l = job_launch(NULL);
	const char *library = arguments_value(a, "mpi-library");
	const char *usual = secure_getenv("NETBENCH_MPI");
	const struct {
		const char *name, *why;
	} sources[] = {
		{ arguments_value(a, "mpi"), "--mpi" },
		{ usual && *usual ? usual : NULL, "NETBENCH_MPI" },
		{ l.mpi, l.by ? l.by : "a launcher's variables" },
		{ "", NULL },
	}, *by = sources;
	const struct variant *v = NULL;
	struct text names = { 0 };

	if (!library)
		library = secure_getenv("NETBENCH_MPI_LIBRARY");
	while (!by->name)
		by++;
	*why = by->why;
	for (size_t i = 0; *why && (v = backend_variant(MPI, i)) && strcmp(v->name, by->name); i++)
		text_add(&names, "%s%s", i ? ", " : "", v->name);
	/* If a launcher starts only one process, this process is not a rank and may use any MPI. */
	backend_choose_variant(v, v && (by->name != l.mpi || l.by),
		       library && *library ? library : NULL);
	return v || !*why ? ST_OK : error_usage("unknown MPI '%s' of '%s': known are %s", by->name,
						*why, names.s);
}

/* Returns true if the options ask for job `join`. */
static bool asks_to_join(const struct arguments *a)
{
	return arguments_value(a, "listen") || arguments_value(a, "join");
}

/* Selects the kind of job by the options, the launcher, the backend or the default. */
static int select_job(const struct arguments *a, struct settings *st)
{
	const char *asked = arguments_value(a, "job");
	const struct launch *l = &st->launch;

	if (asked && asks_to_join(a) && strcmp(asked, "join"))
		return error_usage("options '--listen' and '--join' belong to job 'join', not '%s'",
				   asked);
	if (asked)
		return find_job(asked, "as asked for", st);
	if (asks_to_join(a))
		return find_job("join", "because of --listen or --join", st);
	if (st->be && st->be->job && (!l->by || l->size == 1))
		return find_job(st->be->job->name, "because the backend needs it", st);
	return find_job(l->by ? l->kind : "fork", l->by ? l->by : "by default", st);
}

bool launcher_is_unsupported(const struct command_line *line, char *why, size_t len)
{
	const struct arguments *a = &line->args;
	const struct launch l = job_launch(NULL);
	const struct backend *be;
	const char *why_mpi;
	char reason[512];

	if (!line->cmd.visit || !l.by || arguments_given(a, "job") ||
	    arguments_given(a, "listen") || arguments_given(a, "join") ||
	    launch_choose_mpi(a, &why_mpi) || job_find(l.kind))
		return false;
	be = backend_find(l.kind, reason, sizeof(reason));
	snprintf(why, len, "job '%s' cannot be loaded: %s", l.kind,
		 *reason ? reason : "no such backend");
	return !be || !be->job;
}

/* Selects the backend and the job. Call launch_choose_mpi first. */
static int select_job_and_backend(struct command_line *line)
{
	bool measures = line->cmd.bench;
	const char *backend = measures ? arguments_value(&line->args, "backend") : NULL;
	const char *job = arguments_value(&line->args, "job");
	static const char *const by_mpi[] = { "mpi", "mpi-library" };
	struct settings *st = &line->settings;
	char why[512];
	bool alone;
	int err = ST_OK;

	st->launch = job_launch(job && !strcmp(job, "join") ? job : NULL);
	alone = launcher_is_unsupported(line, why, sizeof(why));
	if (alone)
		st->launch = (struct launch){ .rank = -1 };
	if (backend)
		err = find_backend(backend, &st->be);
	if (!err)
		err = select_job(&line->args, st);
	if (!err && alone)
		st->why_job = "because the launcher's job cannot be loaded";
	if (!err && !st->be)
		err = find_backend(st->job->backend, &st->be);
	if (!err && (st->be->job ? st->be->job != st->job : st->job == &job_sim))
		err = error_usage("backend '%s' does not run under job '%s' (%s)", st->be->name,
				  st->job->name, st->why_job);
	for (int i = 0; i < 2 && !err && strcmp(st->job->name, MPI) != 0; i++)
		if (arguments_value(&line->args, by_mpi[i]))
			err = error_usage("option '--%s' has no meaning in job '%s'", by_mpi[i],
					  st->job->name);
	if (st->job && (!st->launch.kind || strcmp(st->launch.kind, st->job->name) ||
			asks_to_join(&line->args)))
		st->launch = (struct launch){ .rank = -1 };
	return err ? err : command_line_add(line);
}

int launch_select(struct command_line *line)
{
	int err = launch_choose_mpi(&line->args, &line->settings.why_mpi);

	return err ? err : select_job_and_backend(line);
}

/* ---- what ranks have to agree on ---- */

/*
 * Returns true if the value of this option may differ between ranks, because it concerns only the
 * rank's own host. The value of --like may differ, but the parameters in the file that it names
 * must agree, see digest_common_options.
 */
static bool option_may_differ(const char *name, const struct backend *be)
{
	static const char *const own[] = { "backend", "job", "mpi", "mpi-library", "listen",
					   "join", "rank", "pin", "secret-file", "join-timeout",
					   "quiet", "verbose", "like" };

	for (size_t i = 0; i < LENGTH(own); i++)
		if (!strcmp(own[i], name))
			return true;
	for (const struct opt *o = be->options; o && o->name; o++)
		if (!strcmp(o->name, name))
			return true;
	return false;
}

/* What must be equal on all ranks: the command, the backend, and a digest of the options. */
struct accord {
	char command[24], backend[24];
	uint64_t options;
};

/* Returns a digest of the options that must be equal on all ranks, and of the network of --like. */
static uint64_t digest_common_options(const struct settings *st)
{
	json_t *same = json_copy(st->options), *value;
	uint64_t h = 14695981039346656037U;
	const char *name;
	char *text;

	json_object_foreach(st->options, name, value)	/* only rank 0 writes results */
		if (option_may_differ(name, st->be) || command_is_output(name) ||
		    !strcmp(name, "time-limit"))
			json_object_del(same, name);
	if (st->m.like)
		json_object_set_new(same, "network", parameters_object(&st->network.p));
	text = json_dumps(same, JSON_SORT_KEYS);
	for (const char *c = text; c && *c; c++)
		h = (h ^ (unsigned char)*c) * 1099511628211U;
	free(text);
	json_decref(same);
	return h;
}

/*
 * Checks that all ranks have the same command, backend and options as rank 0. For ranks that others
 * have started. Collective. Returns ST_OK or ST_USAGE (reported).
 */
static int check_same_command(const struct settings *st, struct job *job)
{
	struct accord mine = { .options = digest_common_options(st) };
	const struct accord *all;

	snprintf(mine.command, sizeof(mine.command), "%s", st->command);
	snprintf(mine.backend, sizeof(mine.backend), "%s", st->be->name);
	all = job->kind->allgather(job, &mine, sizeof(mine));
	for (int r = 1; r < job->size; r++) {
		const char *what = strcmp(all[r].command, all[0].command)   ? "another command"
				   : strcmp(all[r].backend, all[0].backend) ? "another backend"
				   : all[r].options != all[0].options	    ? "other options"
									    : NULL;

		if (what)
			return error_usage("rank %d has %s than rank 0", r, what);
	}
	return ST_OK;
}

/* ---- taking part ---- */

/*
 * Checks the options of a rank that joins. Reports an option that does not concern only the rank's
 * own host, because only the rank that listens may give it.
 */
static int check_own_options(const struct command_line *line)
{
	const struct backend *be = line->settings.be;
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(NULL, &line->cmd, be, tables);

	for (size_t t = 0; t < n; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++)
			if (arguments_given(&line->args, o->name) &&
			    !option_may_differ(o->name, be))
				return error_usage("option '--%s' can only be given to the rank "
						   "that listens", o->name);
	return ST_OK;
}

/*
 * A rank that joins must not open files named by the listener. A file of that name on this host may
 * have other content, and an error message could reveal it to the listener. Reports an option that
 * must be given here with a file of this host.
 */
static int check_own_files(const struct command_line *theirs, const struct command_line *own)
{
	struct opt_table tables[COMMAND_TABLES];
	const struct backend *be = theirs->settings.be;
	size_t n = command_tables(NULL, &theirs->cmd, be, tables);

	for (size_t t = 0; t < n; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++) {
			const char *value = arguments_value(&theirs->args, o->name);
			bool own_table = tables[t].opts == be->options;

			if (o->file == OPT_READ && tables[t].opts != job_join.options && value &&
			    files_value_is_path(o, value) && !arguments_given(&own->args, o->name))
				return error_usage("the rank that listens was given a file with "
						   "'--%s': give '%s%s%s--%s' here as well, with a "
						   "file of this host", o->name,
						   own_table ? "--backend " : "",
						   own_table ? be->name : "", own_table ? " " : "",
						   o->name);
		}
	return ST_OK;
}

/*
 * Replaces this rank's options by the options of the rank that listens, and appends this rank's own
 * options.
 */
static int adopt_listener_options(struct command_line *own, int argc, char **argv)
{
	bool quiet = own->settings.output.quiet, verbose = own->settings.output.verbose;
	const struct settings *mine = &own->settings;
	struct command_line line;
	struct settings *st = &line.settings;
	int err;

	if (strcmp(argv[0], mine->command))
		return error_usage("the job to join runs '%s', not '%s'", argv[0], mine->command);
	err = command_line_read(&line, own->found, argc, argv);
	if (!err)
		err = select_job_and_backend(&line);
	if (!err && arguments_given(&own->args, "backend") && st->be != mine->be)
		err = error_usage("the job to join runs on backend '%s', not '%s'", st->be->name,
				  mine->be->name);
	if (err || (err = check_own_files(&line, own)) ||
	    (err = arguments_append(&line.args, &own->args))) {
		command_line_free(&line);
		return err;
	}
	st->job = mine->job;
	st->why_job = mine->why_job;
	st->launch = mine->launch;
	command_line_free(own);
	*own = line;
	err = command_line_bind(own);
	error_quiet(quiet);
	error_verbose(verbose);
	return err;
}

/*
 * If others have started the selected job, makes this process a rank of it. Fills settings.launch.
 * A rank that joins gets the options of the rank that listens, followed by its own. Returns ST_OK
 * or an exit status.
 */
static int enter(struct command_line *line)
{
	struct arguments *args = &line->args;
	const struct job_kind *job = line->settings.job;
	struct launch *launch = &line->settings.launch;
	/* the loaded variant of backend mpi; NULL if none is loaded */
	const struct variant *mpi = backend_variant_loaded(MPI);
	int argc = args->argc, err = ST_OK;
	char **argv = args->argv;

	/* report options of job join that would have no effect */
	for (const struct opt *o = job_join.options; o->name; o++)
		if (job != &job_join && arguments_given(args, o->name))
			return error_usage("option '--%s' has no meaning in job '%s': it needs "
					   "'--listen' or '--join'", o->name, job->name);
	if (launch->rank <= 0)
		error_note("job %s: %s, %s", job->name, job->summary, line->settings.why_job);
	if (launch->rank <= 0 && !strcmp(job->name, MPI) && mpi)
		error_note("backend mpi: %s, by %s", mpi->words,
			   line->settings.why_mpi ? line->settings.why_mpi : "default");
	if (!job->enter)
		return ST_OK;
	if (arguments_given(args, "join"))
		err = check_own_options(line);
	if (!err)
		err = job->enter(command_line_values(line, job->options, job->options_size), launch,
				 &argc, &argv);
	if (!err && argv != args->argv)
		err = adopt_listener_options(line, argc, argv);
	if (launch->rank > 0) {	/* rank 0 reports for all ranks */
		error_quiet(true);
		error_verbose(false);
	}
	return err;
}

/* ---- running ---- */

/* What a rank's body needs in this process. */
struct local_run {
	struct command_line *line;
	struct plan plan;		/* for a command that measures */
	int ranks;
	const char *pin;
	/*
	 * CPUs of the ranks on this machine; chosen before the ranks start, if netbench starts them
	 */
	struct placement place;
};

/*
 * Body of each rank: binds it to its CPUs, then measures or examines its host. A rank that others
 * have started also checks its command line, and whether the backend runs on its machine.
 */
static int run_rank(struct job *job, void *arg)
{
	struct local_run *run = arg;
	const struct settings *st = &run->line->settings;
	char own[sizeof(((struct place *)0)->options)], why[256] = "", host[64] = "";
	bool visits = run->line->cmd.visit;
	size_t n = 0;
	int err = job->kind->enter ? check_same_command(st, job)
				   : placement_bind(&run->place, job->local_rank);

	if (!err && job->kind->enter)
		err = pin_launched_rank(&run->place, run->pin, job);
	if (!err && job->kind->enter && !visits &&
	    backend_probe(st->be, st->backend_options, why, sizeof(why))) {
		gethostname(host, sizeof(host) - 1);
		err = error_unavailable("backend '%s' cannot run on host '%s': %s", st->be->name,
					host, why);
	}
	if (err)
		job->kind->abort(job, err);
	if (visits)
		return run->line->cmd.visit(job, st);
	own[0] = '\0';	/* the options that this joined rank itself was given */
	for (int i = 0; i < st->given->nappended && n < sizeof(own); i++)
		n += (size_t)snprintf(own + n, sizeof(own) - n, "%s%s", i ? " " : "",
				      st->given->appended[i]);
	return sweep_run(&run->plan, job, own);
}

/*
 * Places the ranks on CPUs, calibrates the clock, and runs the job. With --dry-run, prints the plan
 * instead.
 */
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

/* Makes the plan of a command that measures, and stores the completed options for the record. */
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
	/* the record contains the completed options */
	*(struct measuring *)command_line_values(line, measuring_options, sizeof(st->m)) = st->m;
	st->options = opts_as_json(tables, command_tables(line, &line->cmd, st->be, tables));
	return err;
}

/*
 * Sets the number of ranks that examine their hosts: the number of ranks launched, or the value of
 * --ranks, or 1.
 */
static int count_visitors(struct local_run *run)
{
	const struct settings *st = &run->line->settings;
	uint64_t asked = run->line->cmd.visitors ? run->line->cmd.visitors(st) : 0;
	int launched = st->launch.size;

	if (st->job == &job_sim)
		return error_usage("job 'sim' has no hosts to examine; use fork, mpi or join");
	if (launched && asked && asked != (uint64_t)launched)
		return error_usage("value '%llu' of '--ranks' is not the number of ranks that %s "
				   "has started: %d", (unsigned long long)asked, st->launch.by,
				   launched);
	if (!launched && st->job == &job_join && !asked)
		return error_usage("option '--listen' needs '--ranks', the number of ranks");
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
	int err = enter(line);

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
