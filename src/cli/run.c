/* SPDX-License-Identifier: Apache-2.0 */
/* From a measuring command's options to its exit status: plan, start the ranks, open, sweep, close. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/choose.h"
#include "config.h"
#include "cli/enter.h"
#include "host/record.h"
#include "host/warnings.h"
#include "base/error.h"
#include "base/histogram.h"
#include "model/parameters.h"
#include "job/local.h"
#include "measure/shape.h"
#include "host/share.h"
#include "measure/sweep.h"

static const char *const checks[] = { "none", "last", "full", NULL };
static const char *const timers[] = { "auto", "tsc", "raw", NULL };

struct measure_opts measure_opts;

const struct opt measure_options[] = {
	{ 'b', "backend", "name", OPT_TEXT, offsetof(struct measure_opts, backend),
	  .help = "what carries the messages, see netbench list; by default shm, under mpirun mpi, with "
		  "--listen and --join tcp" },
	{ 0, "job", "kind", OPT_TEXT, offsetof(struct measure_opts, job),
	  .help = "who takes part: fork (processes on this machine), mpi (those that mpirun or srun started), "
		  "join (started by hand, or by srun without MPI) or sim; by default as started" },
	{ 'n', "ranks", "count", OPT_UINTS, offsetof(struct measure_opts, ranks),
	  .min = 1, .max = 1000000,
	  .help = "number of ranks, by default as many as the command needs; beff: one a core, at least 2; a list "
		  "sweeps, for atlas-1.1 to atlas-2.3" },
	{ 'm', "max-size", "log2", OPT_UINT, offsetof(struct measure_opts, max_size), .def = "auto",
	  .max = 30, .word = "auto",
	  .help = "largest message is 2^log2 bytes; auto: 20 for beff, 22 for others; atlas-1.1 to 2.3 "
		  "have sizes of their own" },
	{ 0, "min-size", "log2", OPT_UINT, offsetof(struct measure_opts, min_size), .def = "0",
	  .max = 30, .help = "smallest message is 2^log2 bytes" },
	{ 0, "sizes", "list", OPT_SIZES, offsetof(struct measure_opts, sizes), .max = 1 << 30,
	  .help = "message sizes instead: 0,64,4k or 1k:64k:*2" },
	{ 0, "repetitions", "count", OPT_UINT, offsetof(struct measure_opts, repetitions),
	  .def = "1000", .min = 1, .max = 1e9, .help = "most repetitions of a point" },
	{ 0, "warmup", "count", OPT_UINT, offsetof(struct measure_opts, warmup), .def = "1",
	  .max = 1e6, .help = "rounds before the repetitions of each point, not counted" },
	{ 0, "ci", "percent", OPT_REAL, offsetof(struct measure_opts, ci), .def = "5", .max = 100,
	  .help = "stop a point when the 95 % confidence interval of the median is within this; 0: never" },
	{ 0, "point-time", "time", OPT_SECONDS, offsetof(struct measure_opts, point_time),
	  .def = "500ms", .help = "stop a point after this; 0: no limit" },
	{ 0, "time-limit", "time", OPT_SECONDS, offsetof(struct measure_opts, time_limit), .def = "auto",
	  .word = "auto",
	  .help = "end the run after this, with what is measured by then; 0: no limit; auto: what Slurm leaves "
		  "(SLURM_JOB_END_TIME)" },
	{ 0, "pin", "where", OPT_TEXT, offsetof(struct measure_opts, pin), .def = "core",
	  .help = "none, core (one rank a core if there are enough), or a list of CPUs: 0,2,4-7" },
	{ 0, "check", "how", OPT_CHOICE, offsetof(struct measure_opts, check), .def = "full",
	  .choices = checks,
	  .help = "verify content: of the last iteration of every round, and one more round in full" },
	{ 0, "timer", "clock", OPT_CHOICE, offsetof(struct measure_opts, timer), .def = "auto",
	  .choices = timers, .help = "tsc if the kernel trusts it, else clock_monotonic_raw" },
	{ 0, "sync", "how", OPT_CHOICE, offsetof(struct measure_opts, sync), .def = "auto",
	  .choices = sync_names,
	  .help = "how ranks start a repetition together: barrier; window: at an instant agreed by synchronised "
		  "clocks; auto: window for three and more ranks where each has a CPU, else barrier" },
	{ 0, "seed", "number", OPT_UINT, offsetof(struct measure_opts, seed), .def = "1",
	  .max = 9007199254740992.0, .help = "of the messages' content" },
	{ 0, "like", "file", OPT_TEXT, offsetof(struct measure_opts, like),
	  .help = "a result with LogGP parameters (of atlas-all): backend sim simulates that network, and algorithm optimal "
		  "of atlas-1.6 is made for it" },
	{ 0, "predict", NULL, OPT_FLAG, offsetof(struct measure_opts, predict),
	  .help = "beside each time what LogGP says of it, with the parameters of --like or of the simulated network" },
	{ 0, "samples", NULL, OPT_FLAG, offsetof(struct measure_opts, samples),
	  .help = "keep every repetition of every rank in JSON" },
	{ 0, "dry-run", NULL, OPT_FLAG, offsetof(struct measure_opts, dry_run),
	  .help = "print the plan and measure nothing" },
	{ 0 },
};

/* Passed to every rank; the placement is of the ranks on this machine. */
struct start {
	struct run run;
	struct placement place;		/* made here if netbench starts the ranks */
};

/* ---- planning ---- */

static int needs(const char *who, unsigned want, unsigned have, const char *backend)
{
	const char *missing = cap_name(want & ~have);

	if (!missing)
		return ST_OK;
	return error_unavailable("%s needs '%s', which backend '%s' does not offer", who, missing,
				 backend);
}

/* As many ranks as were asked for; else what the command would have, as far as the backend goes. */
static uint64_t wanted_ranks(const struct run *run, int most)
{
	int cores = run->be->caps & CAP_VIRTUAL ? 2 : env_ncores();
	uint64_t ranks = 0;

	if (run->launch.size)
		return (uint64_t)run->launch.size;
	for (size_t i = 0; i < measure_opts.ranks.n; i++)
		ranks = measure_opts.ranks.v[i] > ranks ? measure_opts.ranks.v[i] : ranks;
	if (!ranks) {
		ranks = (uint64_t)run->cmd->bench->default_ranks(cores);
		ranks = ranks < (uint64_t)most ? ranks : (uint64_t)most;
	}
	return ranks;
}

/* Under a launcher there are as many as there are: a list may ask for fewer, one number for exactly these. */
static int check_launched(const struct run *run)
{
	const struct numbers *asked = &measure_opts.ranks;
	uint64_t size = (uint64_t)run->launch.size;

	for (size_t i = 0; i < asked->n && size; i++)
		if (asked->v[i] > size || (asked->v[i] < size && !run->cmd->bench->sweeps_ranks))
			return error_usage("value '%llu' of '--ranks' is not the number of ranks that %s has started: %d",
					   (unsigned long long)asked->v[i], run->launch.by, run->launch.size);
	return ST_OK;
}

static int choose_ranks(struct run *run)
{
	const struct benchmark *what = run->cmd->bench;
	int most = run->be->max_ranks < run->job->max_ranks ? run->be->max_ranks : run->job->max_ranks;
	int err = check_launched(run);
	uint64_t ranks;

	if (!err && measure_opts.ranks.n > 1 && !what->sweeps_ranks)
		err = error_usage("option '--ranks' takes one number for %s, not a list", run->cmd->name);
	if (!err && what->prepare)
		err = what->prepare(what, &measure_opts.ranks);
	if (err)
		return err;
	ranks = wanted_ranks(run, most);
	run->ranks = ranks < INT_MAX ? (int)ranks : INT_MAX;
	if (run->ranks >= what->min_ranks) {
		err = what->check ? what->check(run->ranks, most) : ST_OK;
		if (err || run->ranks <= most)
			return err;
	}
	if (run->launch.size)
		return error_usage("job '%s' has %d rank%s, and %s on backend '%s' takes %d to %d: start as many with "
				   "mpirun -n or srun -n", run->job->name, run->ranks, run->ranks == 1 ? "" : "s",
				   run->cmd->name, run->be->name, what->min_ranks, most);
	return error_usage("value '%d' of '--ranks' is out of range: %d to %d for %s on backend '%s'",
			   run->ranks, what->min_ranks, most, run->cmd->name, run->be->name);
}

/* The sizes asked for; else the benchmark's own, unless --max-size or --min-size asks for powers of two. */
static int choose_sizes(struct run *run)
{
	const struct benchmark *what = run->cmd->bench;
	struct numbers own = { .n = 0 };

	if (what->sizes && !opts_given("max-size") && !opts_given("min-size"))
		own = (struct numbers){ (uint64_t *)(uintptr_t)what->sizes, what->nsizes };	/* only read */
	if (measure_opts.max_size == OPT_AUTO)
		measure_opts.max_size = what->max_log2;
	return plan_sizes(measure_opts.sizes.n ? &measure_opts.sizes : &own, measure_opts.min_size,
			  measure_opts.max_size, &run->sizes);
}

static int choose_points(struct run *run)
{
	const struct benchmark *what = run->cmd->bench;
	uint64_t one = 1;
	struct numbers ones = { &one, 1 };
	int err;

	if (opts_exclude("sizes", "max-size") || opts_exclude("sizes", "min-size"))
		return ST_USAGE;
	err = choose_sizes(run);
	if (err)
		return err;
	run->points = what->points ? what->points(run, &run->npoints)
				   : plan_points(&run->sizes, &ones, &ones, &run->npoints);
	return run->points ? ST_OK : error_report("no memory for the plan");
}

static void choose_stopping(struct run *run)
{
	bool same = run->be->caps & CAP_VIRTUAL;
	uint64_t fixed = run->cmd->bench->repetitions;

	if (fixed && !opts_given("repetitions"))
		measure_opts.repetitions = fixed;
	run->stopping = (struct stopping){
		.min = fixed ? measure_opts.repetitions : measure_opts.repetitions < 5 ? measure_opts.repetitions : 5,
		.max = measure_opts.repetitions,
		.ci = measure_opts.ci / 100,
		.point_time_s = measure_opts.point_time,
		.deterministic = same,
	};
	run->warmup = same ? 0 : measure_opts.warmup;
}

/* Seconds that the scheduler's allocation still lasts, less some to end in order; 0 if it does not say. */
static double allocation_left(void)
{
	const char *text = getenv("SLURM_JOB_END_TIME"), *end = text;
	struct timespec now;
	uint64_t then;
	double left;

	if (!text || scan_whole(&end, false, &then) || *end)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	left = (double)then - (double)now.tv_sec - 1e-9 * (double)now.tv_nsec;
	left -= fmin(30, fmax(1, left / 10));
	return left > 1 ? left : 1;
}

static void choose_time_limit(struct run *run)
{
	if (measure_opts.time_limit != OPT_AUTO_SECONDS)
		return;
	measure_opts.time_limit = allocation_left();
	run->limit_from_plan = true;
	if (measure_opts.time_limit > 0)
		error_note("time limit %.0f s: the allocation ends then (SLURM_JOB_END_TIME)",
		     measure_opts.time_limit);
}

static json_t *dump_options(const struct run *run)
{
	struct opt_table tables[COMMAND_TABLES];

	return opts_dump(tables, command_tables(run->cmd, run->be, tables));
}

/* What steers a real clock or real cores has no meaning in virtual time. */
static int check_virtual(const struct run *run)
{
	static const char *const real[] = { "pin",    "timer", "repetitions", "warmup",
					    "ci",     "sync",  "point-time",  "load" };

	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
		if (run->be->caps & CAP_VIRTUAL && opts_given(real[i]))
			return error_usage("option '--%s' has no meaning on backend '%s': time is virtual",
					   real[i], run->be->name);
	return ST_OK;
}

/* Benchmarks that visit each point a fixed number of times have no use for what ends a point, nor rows for each. */
static int check_fixed(const struct run *run)
{
	static const char *const without[] = { "ci", "point-time", "samples" };

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (run->cmd->bench->repetitions && opts_given(without[i]))
			return error_usage("option '--%s' has no meaning here: points have a fixed number of repetitions",
					   without[i]);
	return ST_OK;
}

static int check_outputs(void)
{
	bool json = output_opts.format == FORMAT_JSON;
	int err = ST_OK;

	for (size_t i = 0; i < output_opts.outputs.n && !err; i++) {
		const char *suffix = strrchr(output_opts.outputs.v[i], '.');

		err = report_check_file(output_opts.outputs.v[i]);
		json |= suffix && !strcmp(suffix, ".json");
	}
	if (!err && measure_opts.samples && !json)
		err = error_usage("option '--samples' needs '--format json' or '--output FILE.json'");
	return err;
}

/* The network's parameters, as far as they are known beforehand. */
static int choose_network(const struct backend *be)
{
	static struct loggp like;
	int err = measure_opts.like ? like_read(measure_opts.like, &like, &measure_opts.pieces) : ST_OK;

	measure_opts.network = measure_opts.like ? &like : NULL;
	if (!err && be->network)
		err = be->network(measure_opts.network, &measure_opts.network);
	if (!err && measure_opts.network && !measure_opts.pieces.n)
		measure_opts.pieces = (struct loggp_pieces){ .n = 1, .p = { *measure_opts.network } };
	return err;
}

/* Predictions need a command that a model says the same of, and parameters: given, or measured between two ranks. */
static int check_prediction(const struct run *run)
{
	if (!measure_opts.predict)
		return ST_OK;
	if (!run->cmd->bench->observe)
		return error_usage("option '--predict' is not for '%s': no model says the same", run->cmd->name);
	if (!measure_opts.network && !run->be->rdma)
		return error_usage("option '--predict' needs the network's parameters: '--like'");
	if (!measure_opts.network && run->ranks < 2)
		return error_usage("option '--predict' measures the network's parameters between two ranks: with one it needs '--like'");
	return ST_OK;
}

/* A computing task takes real time. */
static void drop_loads(struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->npoints; i++)
		if (!run->points[i].load)
			run->points[n++] = run->points[i];
	run->npoints = n;
}

static int plan(struct run *run)
{
	const struct benchmark *what = run->cmd->bench;
	char why[256] = "";
	int err = what->pattern ? needs(run->cmd->name, what->pattern->needs, run->be->caps, run->be->name) : ST_OK;

	err = err ? err : choose_network(run->be);
	err = err ? err : choose_ranks(run);
	err = err ? err : choose_points(run);
	if (!err && run->be->caps & CAP_VIRTUAL)
		drop_loads(run);
	err = err ? err : check_prediction(run);
	err = err ? err : check_virtual(run);
	err = err ? err : check_fixed(run);
	if (!err && run->launch.rank <= 0)
		err = check_outputs();
	if (!err && run->be->check)
		err = run->be->check(run->ranks);
	if (!err && !run->job->enter && run->be->probe(why, sizeof(why)))
		err = error_unavailable("backend '%s' cannot run here: %s", run->be->name, why);
	choose_stopping(run);
	run->planned_s = clock_wall();
	choose_time_limit(run);
	measure_opts.backend = run->be->name;
	measure_opts.job = run->job->name;
	run->options = dump_options(run);
	return err;
}

/* ---- the plan for people ---- */

static uint64_t planned_loops(const struct run *run, const struct point *pt)
{
	const struct benchmark *what = run->cmd->bench;
	const struct pattern *pattern = shape_pattern(what, pt);
	uint64_t asked = what->loops_asked();

	if (asked == OPT_AUTO && pattern->loops)
		asked = pattern->loops;
	if (asked == OPT_AUTO && run->be->caps & CAP_VIRTUAL) {
		asked = shape_virtual_loops(what, pt, run->ranks, what->max_loops);
		if (what->asked_from)
			asked = what->asked_from(&run->points[0], asked);
	}
	return asked != OPT_AUTO && what->loops ? what->loops(pt, asked) : asked;
}

static void print_point(const struct run *run, const struct point *pt)
{
	const struct pattern *pattern = shape_pattern(run->cmd->bench, pt);
	uint64_t loops = planned_loops(run, pt);

	printf("%12llu %8u %8u ", (unsigned long long)pt->size, pt->window, pt->batch);
	if (loops == OPT_AUTO)
		printf("%12s", "pilot");
	else
		printf("%12llu", (unsigned long long)loops);
	printf("  %s%s\n", pattern->name, pt->load ? ", beside computing" : "");
}

static void print_stopping(const struct run *run)
{
	const struct stopping *s = &run->stopping;

	if (s->min == s->max) {
		printf("%llu warm-up and %llu repetitions each\n", (unsigned long long)run->warmup, (unsigned long long)s->max);
		return;
	}
	printf("%llu warm-up and %llu to %llu repetitions each", (unsigned long long)run->warmup,
	       (unsigned long long)s->min, (unsigned long long)s->max);
	if (s->ci > 0)
		printf(", until the interval of the median is within %g %%", s->ci * 100);
	if (s->point_time_s > 0)
		printf(", or %g s are spent: about %.0f s in all, and what pilots and checks take",
		       s->point_time_s, s->point_time_s * (double)run->npoints);
	puts("");
}

static void print_plan(const struct run *run)
{
	const struct stopping *s = &run->stopping;

	printf("%s on backend %s, job %s, %d ranks, check %s\n", run->cmd->name,
	       run->be->name, run->job->name, run->ranks, checks[measure_opts.check]);
	printf("%zu point%s, ", run->npoints, run->npoints == 1 ? "" : "s");
	if (s->deterministic)
		puts("one repetition each: time is virtual");
	else
		print_stopping(run);
	printf("%12s %8s %8s %12s  %s\n", "size", "window", "batch", "loops", "pattern");
	for (size_t i = 0; i < run->npoints; i++)
		print_point(run, &run->points[i]);
}

/* ---- one rank ---- */

static uint64_t longest(const struct run *run)
{
	uint64_t most = PATTERN_REPLY;

	for (size_t i = 0; i < run->sizes.n; i++)
		most = run->sizes.v[i] > most ? run->sizes.v[i] : most;
	return most;
}

static int open_endpoint(struct bench *b)
{
	const struct run *run = b->run;
	size_t len = longest(run);
	int err = run->be->open(&b->ep, b->job, shape_heap(run, b->job->size, len));

	if (err)
		return err;
	b->ep->be = run->be;
	if (b->what->pattern)
		err = needs(run->cmd->name, b->what->pattern->needs, b->ep->caps, run->be->name);
	if (!err && len > b->ep->limits.max_len)
		err = error_unavailable("messages of %zu bytes are longer than backend '%s' takes: %zu",
					len, run->be->name, b->ep->limits.max_len);
	for (size_t i = 0; i < run->npoints && !err; i++)
		if (run->points[i].window > b->ep->limits.max_window)
			err = error_unavailable("a window of %u is wider than backend '%s' takes: %u",
						run->points[i].window, run->be->name,
						b->ep->limits.max_window);
	return err ? err : shape_open(b, len);
}

static void close_endpoint(struct bench *b)
{
	shape_close(b);
	b->run->be->close(b->ep);
	free(b->stamps);
}

static void put_text(void *object, const char *key, const char *value)
{
	json_object_set_new(object, key, json_string(value));
}

static bool is_seconds(const char *key)
{
	size_t len = strlen(key);

	return len > 2 && !strcmp(key + len - 2, "_s");
}

/* What a backend says of itself; whole numbers and seconds become numbers. */
static void put_found(void *object, const char *key, const char *value)
{
	char *end, *end_real;
	long long number = strtoll(value, &end, 10);
	double real = strtod(value, &end_real);

	if (end > value && !*end)
		json_object_set_new(object, key, json_integer(number));
	else if (is_seconds(key) && end_real > value && !*end_real)
		json_object_set_new(object, key, json_real(real));
	else
		put_text(object, key, value);
}

static void warn_text(void *b, const char *text)
{
	bench_warn(b, "%s", text);
}

static json_t *describe_run(const struct bench *b, const struct place *places)
{
	json_t *env = env_collect(), *backend = json_object(), *job = json_object();
	bool virtual = b->ep->caps & CAP_VIRTUAL;

	if (b->rdma)
		json_object_set_new(env, "rdma", like_rdma_object(b->rdma, "measured by this run, between ranks 0 and 1"));
	put_text(backend, "name", b->run->be->name);
	put_text(backend, "job", b->run->job->name);
	if (b->run->be->describe)
		b->run->be->describe(b->ep, put_found, backend);
	json_object_set_new(env, "backend", backend);
	put_text(job, "name", b->run->job->name);
	put_text(job, "chosen", b->run->why);
	if (b->run->job->describe)
		b->run->job->describe(b->job, put_found, job);
	json_object_set_new(env, "job", job);
	json_object_set_new(env, "timer",
			    json_pack("{s:s, s:f, s:f, s:s, s:s}", "name",
				      virtual ? "virtual" : host_clock.name, "resolution_s",
				      virtual ? 0.0 : host_clock.resolution_s, "overhead_s",
				      virtual ? 0.0 : host_clock.overhead_s, "sync", sync_names[b->sync.scheme],
				      "summary_over_ranks", "maximum of the timed ranks"));
	json_object_set_new(env, "sync", json_pack("{s:s, s:s, s:o}", "scheme", sync_names[b->sync.scheme],
						   "chosen", b->sync.why, "clock_error_s",
						   b->sync.scheme == SYNC_WINDOW ? json_real(b->sync.error_s)
										 : json_null()));
	json_object_set_new(env, "nranks", json_integer(b->job->size));
	json_object_set_new(env, "ranks", env_places(places, virtual ? 1 : (size_t)b->job->size));
	return env;
}

/* Readings of one machine's clock can be compared, where ranks do not start by clocks that are compared already. */
static bool is_one_clock(const struct bench *b, const struct place *places)
{
	bool same = !(b->ep->caps & CAP_VIRTUAL) && b->sync.scheme == SYNC_BARRIER;

	for (int r = 1; r < b->job->size && same; r++)
		same = !strcmp(places[r].machine, places[0].machine);
	return same;
}

static int count_hosts(const struct place *places, int n)
{
	int hosts = 0;

	for (int i = 0; i < n; i++) {
		bool first = true;

		for (int k = 0; k < i && first; k++)
			first = strcmp(places[k].host, places[i].host) != 0;
		hosts += first;
	}
	return hosts;
}

/* Puts the columns of --predict behind those of the table. */
static int add_predictions(struct bench *b)
{
	const struct benchmark *what = b->what;
	size_t table = what->ntable ? what->ntable : what->ncols, n = what->ncols + 2;

	if (!measure_opts.predict)
		return ST_OK;
	b->cols = calloc(n, sizeof(*b->cols));
	b->heads = calloc(n, sizeof(*b->heads));
	if (!b->cols || !b->heads)
		return error_report("no memory for results");
	for (size_t i = 0; i < n; i++) {
		size_t from = i < table ? i : i - 2;
		bool added = i == table || i == table + 1;

		b->cols[i] = !added ? what->cols[from] : i == table ? COL_MODEL_TIME : COL_RATIO;
		b->heads[i] = !added && what->heads ? what->heads[from] : NULL;
	}
	b->record.cols = b->cols;
	b->record.heads = b->heads;
	b->record.ncols = n;
	b->record.ntable = table + 2;
	return ST_OK;
}

/* The record's head and rank 0's tools. */
static int prepare_record(struct bench *b, const struct place *places)
{
	const struct run *run = b->run;

	b->hist = hist_new();
	b->rank_best = calloc((size_t)b->job->size, sizeof(double));
	b->work = calloc((size_t)b->job->size, sizeof(*b->work));
	b->medians = calloc(run->npoints + 1, sizeof(double));
	b->state = calloc(1, b->what->state_size + 1);
	b->rank_times = measure_opts.samples ? json_array() : NULL;
	b->one_clock = is_one_clock(b, places);
	if (!b->hist || !b->rank_best || !b->work || !b->medians || !b->state)
		return error_report("no memory for results");
	b->record = (struct record){
		.command = run->cmd->name, .definition = b->what->define ? b->what->define() : b->what->definition,
		.cols = b->what->cols, .ncols = b->what->ncols, .heads = b->what->heads,
		.ntable = b->what->ntable, .options = run->options,
		.environment = describe_run(b, places), .summary = json_object(),
		.warnings = json_array(), .status = "incomplete",
		.computed = b->ep->caps & CAP_VIRTUAL, .emulated = b->ep->caps & CAP_EMULATED,
	};
	if (add_predictions(b))
		return ST_FAILED;
	if (!(b->ep->caps & CAP_VIRTUAL))
		host_warnings(places, (size_t)b->job->size, warn_text, b);
	if (!(b->ep->caps & CAP_VIRTUAL) && b->what->pattern == &pattern_pingpong &&
	    count_hosts(places, b->job->size) > 1 && !strcmp(places[0].host, places[1].host))
		bench_warn(b, "ranks 0 and 1, between which latency is measured, are both on host '%s'",
			   places[0].host);
	if (measure_opts.check != CHECK_NONE && !b->ep->limits.content_len)
		bench_warn(b, "backend '%s' carries no content: nothing is verified", run->be->name);
	return ST_OK;
}

/* One line for people: what, on how many ranks, by which way, where, and how far it is verified. */
static void make_title(const struct bench *b, const struct place *places, char *title, size_t len)
{
	const json_t *backend = json_object_get(b->record.environment, "backend");
	const char *method = json_string_value(json_object_get(backend, "method"));
	const char *beside = json_string_value(json_object_get(backend, "beside"));
	bool virtual = b->ep->caps & CAP_VIRTUAL;
	int nhosts = virtual ? 1 : count_hosts(places, b->job->size), nbound = 0;
	char hosts[32] = "";

	if (nhosts > 1)
		snprintf(hosts, sizeof(hosts), " on %d hosts,", nhosts);
	for (int r = 0; r < b->job->size && !virtual; r++)
		nbound += places[r].bound >= 0;
	snprintf(title, len, "netbench %s %s: %s of %d rank%s%s on %s%s%s%s%s%s, %s, check %s", NETBENCH_VERSION,
		 b->run->cmd->name, b->what->pattern ? b->what->pattern->name : "benchmarks", b->job->size, b->job->size == 1 ? "" : "s", hosts,
		 b->run->be->name, method ? " (" : "", method ? method : "", method && beside ? "; " : "", method && beside ? beside : "", method ? ")" : "",
		 virtual ? "virtual time" : nbound == b->job->size ? "pinned" : nbound ? "partly pinned" : "not pinned",
		 checks[b->ep->limits.content_len ? measure_opts.check : CHECK_NONE]);
}

static void free_record(struct bench *b)
{
	json_decref(b->record.environment);
	json_decref(b->record.summary);
	json_decref(b->record.warnings);
	json_decref(b->rank_times);
	free(b->hist);
	free(b->rank_best);
	free(b->work);
	free(b->medians);
	free(b->footer);
	free(b->cols);
	free(b->heads);
	series_free(&b->deviations);
	free(b->state);
}

/* Rank 0's part around the sweep. Files are made only now: what fails before leaves none behind. */
static int sweep_and_report(struct bench *b, const struct place *places)
{
	char title[400];
	int err, closed;

	err = report_open(&b->report, (enum format)output_opts.format, output_opts.outputs.v,
			  output_opts.outputs.n);
	if (!err)
		err = prepare_record(b, places);
	if (!err) {
		make_title(b, places, title, sizeof(title));
		b->record.title = title;
		err = report_begin(b->report, &b->record);
	}
	if (err)
		b->job->kind->abort(b->job, err);
	err = sweep(b);
	closed = report_close(b->report);
	free_record(b);
	return err ? err : closed;
}

/* Where this rank runs, and that its backend runs there, in a job whose ranks others have started. */
static int settle_in(struct start *start, struct job *job)
{
	const struct backend *be = start->run.be;
	char why[256] = "", host[64] = "";
	int err = enter_check(&start->run, job);

	err = err ? err : share_machine(&start->place, measure_opts.pin, job);
	if (err || !be->probe(why, sizeof(why)))
		return err;
	gethostname(host, sizeof(host) - 1);
	return error_unavailable("backend '%s' cannot run on host '%s': %s", be->name, host, why);
}

/* What predicts, if nobody has said it and the backend can find it out. */
static int measure_model(struct bench *b, struct rdma *found)
{
	const struct backend *be = b->run->be;

	if (!measure_opts.predict || measure_opts.network)
		return ST_OK;
	b->rdma = found;
	return be->rdma(b->ep, found);
}

static int rank_main(struct job *job, void *arg)
{
	struct start *start = arg;
	struct bench b = { .run = &start->run, .what = start->run.cmd->bench, .job = job };
	struct place mine = { .pid = 0 };
	const struct place *places;
	struct rdma found;
	int err = job->kind->enter ? settle_in(start, job) : placement_bind(&start->place, job->local_rank);

	if (!err)
		err = open_endpoint(&b);
	if (!err)
		err = sync_open(&b.sync, b.ep, (enum sync_scheme)measure_opts.sync,
				job->size > 2 && b.what->pattern != &pattern_pingpong);
	if (!err)
		err = measure_model(&b, &found);
	if (err)
		job->kind->abort(job, err);
	if (job->rank == 0 || !(b.ep->caps & CAP_VIRTUAL))
		place_here(&mine);
	snprintf(mine.machine, sizeof(mine.machine), "%s", machine_id());
	snprintf(mine.options, sizeof(mine.options), "%s", enter_own_options());
	places = job->kind->gather(job, &mine, sizeof(mine));
	err = job->rank == 0 ? sweep_and_report(&b, places) : sweep(&b);
	close_endpoint(&b);
	return err;
}

/* ---- the command ---- */

static int start_ranks(struct start *start)
{
	struct run *run = &start->run;
	bool virtual = run->be->caps & CAP_VIRTUAL;
	int err = ST_OK;

	if (!virtual && !run->job->enter)
		err = placement_make(&start->place, measure_opts.pin, run->ranks);
	if (!err && measure_opts.dry_run) {
		if (run->launch.rank <= 0)
			print_plan(run);
		return ST_OK;
	}
	if (!err && !virtual)
		err = clock_init((enum timer)measure_opts.timer);
	return err ? err : run->job->run(run->ranks, placement_ncpus(&start->place), rank_main, start);
}

int bench_command(const struct command *cmd, const struct choice *choice, int argc, char **argv)
{
	struct start start = { .run = { .cmd = cmd, .be = choice->be, .job = choice->job,
					.launch = choice->launch, .why = choice->why } };
	struct run *run = &start.run;
	int err = enter_job(run, argc, argv);

	err = err ? err : plan(run);
	err = err ? err : start_ranks(&start);
	placement_free(&start.place);
	json_decref(run->options);
	free(run->points);
	free(run->sizes.v);
	return err;
}
