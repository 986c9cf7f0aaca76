/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/plan.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "host/record.h"
#include "measure/verify/choice.h"
#include "measure/plan/patterns.h"
#include "measure/plan/program.h"
#include "result/report.h"

#define MAX_LOG2 63

/*
 * A run may exceed the requested time by this fraction of it, or by LEAST_GRACE_S if that is
 * longer. On a shared machine, the final visits of the points need this extra time.
 */
#define GRACE 0.25
#define LEAST_GRACE_S 1.0

/* Limits in virtual time: iterations of a round, and messages of all ranks together in a round. */
#define VIRTUAL_LOOPS 64
#define VIRTUAL_MESSAGES 2e6

/* ---- memory of a plan ---- */

struct plan_memory {
	struct plan_memory *next;
	void (*release)(void *);
	void *what;
};

int plan_free_later(struct plan *p, void (*release)(void *), void *what)
{
	struct plan_memory *m = malloc(sizeof(*m));

	if (!m) {
		release(what);
		return error_report("no memory for the plan");
	}
	*m = (struct plan_memory){ p->memory, release, what };
	p->memory = m;
	return ST_OK;
}

void *plan_alloc(struct plan *p, size_t n, size_t size)
{
	void *mem = calloc(n ? n : 1, size);

	if (!mem)
		error_report("no memory for the plan");
	return mem && !plan_free_later(p, free, mem) ? mem : NULL;
}

void plan_free(struct plan *p)
{
	for (struct plan_memory *m = p->memory, *next; m; m = next) {
		next = m->next;
		m->release(m->what);
		free(m);
	}
	free(p->specs);
	free(p->sizes.v);
}

int plan_add(struct plan *p, const struct spec *spec)
{
	if (p->n == p->room) {
		size_t room = p->room ? 2 * p->room : 64;
		struct spec *more = reallocarray(p->specs, room, sizeof(*more));

		if (!more)
			return error_report("no memory for the plan");
		p->specs = more;
		p->room = room;
	}
	p->specs[p->n++] = *spec;
	return ST_OK;
}

int plan_add_sizes(struct plan *p, const struct spec *spec)
{
	struct spec each = *spec;
	int err = ST_OK;

	for (size_t i = 0; i < p->sizes.n && !err; i++) {
		each.size = p->sizes.v[i];
		err = plan_add(p, &each);
	}
	return err;
}

int plan_add_windows(struct plan *p, const struct spec *spec, const struct numbers *windows,
		     const struct numbers *batches)
{
	struct spec each = *spec;
	int err = ST_OK;

	for (size_t w = 0; w < windows->n; w++)
		for (size_t b = 0; b < batches->n && !err; b++) {
			each.window = (uint32_t)windows->v[w];
			each.batch = (uint32_t)batches->v[b];
			if (batches->v[b] <= windows->v[w])
				err = plan_add_sizes(p, &each);
		}
	return err;
}

/* ---- ranks ---- */

int plan_max_ranks(const struct plan *p)
{
	int be = p->settings->be->max_ranks, job = p->settings->job->max_ranks;

	return be < job ? be : job;
}

int plan_cores(const struct plan *p)
{
	return settings_virtual(p->settings) ? 2 : host_ncores();
}

/*
 * Checks --ranks against the number of ranks that a launcher has started. A single number must
 * equal the number of started ranks. A list may also contain smaller numbers. Returns ST_OK or an
 * exit status (reported).
 */
static int check_launched_ranks(const struct plan *p)
{
	const struct numbers *asked = &p->settings->m.ranks;
	const struct launch *l = &p->settings->launch;
	uint64_t size = (uint64_t)l->size;

	for (size_t i = 0; i < asked->n && size; i++)
		if (asked->v[i] > size || (asked->v[i] < size && !(p->what->traits & SWEEPS_RANKS)))
			return error_usage("value '%llu' of '--ranks' is not the number of ranks "
					   "that %s has started: %d%s",
					   (unsigned long long)asked->v[i], l->by, l->size,
					   l->size > 1 ? "" : "; set the number with 'mpirun -n'");
	return ST_OK;
}

int plan_ranks(struct plan *p, uint64_t usual)
{
	const struct settings *st = p->settings;
	const struct numbers *asked = &st->m.ranks;
	int most = plan_max_ranks(p), least = p->what->min_ranks;
	uint64_t ranks = (uint64_t)st->launch.size;

	for (size_t i = 0; i < asked->n && !st->launch.size; i++)
		ranks = asked->v[i] > ranks ? asked->v[i] : ranks;
	if (!ranks)
		ranks = usual < (uint64_t)most ? usual : (uint64_t)most;
	p->ranks = ranks < INT_MAX ? (int)ranks : INT_MAX;
	if (p->ranks >= least && p->ranks <= most)
		return ST_OK;
	if (st->launch.size)
		return error_usage("job '%s' has %d rank%s, and %s on backend '%s' takes %d to "
				   "%d: set the number with mpirun -n or srun -n",
				   st->job->name, p->ranks, p->ranks == 1 ? "" : "s", st->command,
				   st->be->name, least, most);
	return error_usage("value '%d' of '--ranks' is out of range: %d to %d for %s on "
			   "backend '%s'",
			   p->ranks, least, most, st->command, st->be->name);
}

/* ---- sizes, loops, repetitions, time ---- */

/*
 * Chooses the message sizes. --sizes comes first. Without it, the benchmark's own list is used,
 * unless --max-size or --min-size is given. Otherwise the sizes are powers of two. Returns ST_OK,
 * or the status of a fault.
 */
static int choose_sizes(struct plan *p, struct settings *st)
{
	const struct usual_sizes *usual = &p->what->sizes;
	struct numbers own = { .n = 0 };

	if (settings_exclude(st, "sizes", "max-size") || settings_exclude(st, "sizes", "min-size"))
		return ST_USAGE;
	if (usual->list && !settings_given(st, "max-size") && !settings_given(st, "min-size"))
		/* cast away const: plan_sizes only reads the list */
		own = (struct numbers){ (uint64_t *)(uintptr_t)usual->list, usual->n };
	if (st->m.max_size == OPT_AUTO)
		st->m.max_size = usual->max_log2;
	return plan_sizes(st->m.sizes.n ? &st->m.sizes : &own, st->m.min_size, st->m.max_size,
			  &p->sizes);
}

uint64_t plan_virtual_loops(const struct plan *p, const struct spec *spec, uint64_t most)
{
	int takes_part = spec->groups	? spec->groups->longest
			 : spec->nranks ? spec->nranks
					: p->ranks;
	const struct program *program = spec->pattern->program;
	double messages = (double)spec_max_buffers(spec, p->ranks) * takes_part;
	double loops = VIRTUAL_LOOPS;

	if (program) {
		messages = (double)program->messages(spec->program_args);
		loops = (double)program->steady(spec->program_args);
	}
	loops = fmax(1, fmin(loops, VIRTUAL_MESSAGES / fmax(messages, 1)));
	return loops < (double)most ? (uint64_t)loops : most;
}

/*
 * A visit shorter than LEAST_VISIT_S has no time for a pilot, a warm-up and a repetition. A
 * repetition is planned to take at most 1/PARTS_OF_A_VISIT of a visit, because other work on the
 * cores may make it many times longer.
 */
#define LEAST_VISIT_S 10e-3
#define PARTS_OF_A_VISIT 32

/*
 * Returns the number of visits of a point. The default is one visit if time is virtual or short, if
 * repetitions are fixed or few, or if computing tasks must first be timed without communication.
 * Programs have long rounds: with a single visit they would rarely reach the number of repetitions
 * that an interval needs.
 */
static uint64_t choose_visits(const struct plan *p, const struct settings *st)
{
	bool one = p->usual.once || p->what->traits & OWN_VISITS;
	bool once = settings_virtual(st) || p->usual.once_unasked;
	double time_s = p->usual.time_s;
	uint64_t least = 1;

	if (one || st->m.visits != OPT_AUTO)
		return one ? 1 : st->m.visits;
	if (p->usual.visits && !settings_virtual(st))
		return p->usual.visits;
	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++) {
		once |= spec->repetitions || spec->load;
		least = spec->least_repetitions > least ? spec->least_repetitions : least;
	}
	once |= time_s > 0 && time_s < LEAST_VISIT_S * (double)(p->n * USUAL_VISITS);
	once |= st->m.repetitions < USUAL_VISITS * least;
	return once ? 1 : USUAL_VISITS;
}

/* Shortens the target times of repetitions so that every visit has time for several repetitions. */
static void shorten_repetitions(struct plan *p, uint64_t visits)
{
	double visit_s = p->usual.time_s / (double)(p->n * visits);

	for (struct spec *spec = p->specs; spec < p->specs + p->n && visits > 1; spec++)
		if (visit_s > 0 && !(spec->target_s > 0))
			spec->target_s = fmin(visit_s / PARTS_OF_A_VISIT, ROUND_TARGET_S);
}

/*
 * Completes the loops and repetitions of all specs, and the stopping rule. In virtual time, removes
 * specs with a computing task, because such a task takes real time.
 */
static void complete_specs(struct plan *p, struct settings *st)
{
	bool virtual = settings_virtual(st);
	double share;
	uint64_t visits;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!virtual || !p->specs[i].load)
			p->specs[n++] = p->specs[i];
	p->n = n;
	for (size_t i = 0; i < p->n; i++) {
		struct spec *spec = &p->specs[i];
		uint64_t most = each_max_loops(st, spec, p->ranks), loops;

		if (spec->loops == LOOPS_BY_PILOT && spec->pattern->loops) {
			spec->loops = spec->pattern->loops;
		} else if (spec->loops == LOOPS_BY_PILOT && virtual) {
			loops = plan_virtual_loops(p, spec, p->usual.max_loops);
			spec->loops = loops > spec->least_loops ? loops : spec->least_loops;
		}
		if (spec->loops != LOOPS_BY_PILOT && spec->loops > most)
			/* if `most` is 0, measure_refusal() gives the reason */
			spec->loops = most;
		if (spec->repetitions && !settings_given(st, "repetitions"))
			st->m.repetitions = spec->repetitions;
		else if (spec->repetitions)
			spec->repetitions = st->m.repetitions;
	}
	if (p->usual.ci > 0 && !settings_given(st, "ci"))
		st->m.ci = p->usual.ci;
	share = p->n ? p->usual.time_s / (double)p->n : p->usual.time_s;
	if (p->usual.time_s > 0)
		st->m.point_time = SHARE_OF_REPETITIONS * share;
	visits = choose_visits(p, st);
	if (!(p->what->traits & OWN_VISITS))
		st->m.visits = visits;
	if (p->usual.visits && !virtual)
		st->m.repetitions = visits;
	shorten_repetitions(p, visits);
	if (visits > 1 && p->usual.visited)
		p->definition = p->usual.visited;
	n = st->m.repetitions;
	p->stopping = (struct stopping){ .min = n < FEWEST_REPETITIONS ? n : FEWEST_REPETITIONS,
					 .max = n, .ci = st->m.ci / 100,
					 .point_time_s = st->m.point_time, .visits = visits,
					 .deterministic = virtual };
	if (!virtual && st->m.point_time > 0)
		p->stopping.longest_s = fmax(LONGEST_POINT_S, st->m.point_time);
	if (!virtual && share > 0)
		p->stopping.longest_s = fmin(p->stopping.longest_s, SHARES_OF_A_SLOW_POINT * share);
	p->warmup = virtual ? 0 : st->m.warmup;
}

/*
 * Returns the seconds until Slurm ends the allocation, minus a reserve for an orderly end. Returns
 * 0 if the end of the allocation is not known.
 */
static double allocation_seconds_left(void)
{
	const char *text = getenv("SLURM_JOB_END_TIME"), *end = text;
	struct timespec now;
	uint64_t then;
	double left;

	if (!text || scan_whole(&end, false, &then) || *end)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	left = (double)then - (double)now.tv_sec - 1e-9 * (double)now.tv_nsec;
	return fmax(1, left - fmin(30, fmax(1, left / 10)));
}

/*
 * Sets the time limit of the run from the options, the time of the run, and the end of the
 * allocation.
 */
static void choose_time_limit(struct plan *p, struct settings *st)
{
	struct time_limit *limit = &p->limit;
	double usual;

	limit->planned_s = clock_wall();
	limit->from_plan = st->m.time_limit == OPT_AUTO_SECONDS;
	if (limit->from_plan) {
		st->m.time_limit = allocation_seconds_left();
		if (st->m.time_limit > 0)
			error_note("time limit %.0f s: the allocation ends then "
				   "(SLURM_JOB_END_TIME)", st->m.time_limit);
	}
	limit->seconds = st->m.time_limit;
	p->usual.time_s = settings_virtual(st) ? 0 : p->usual.time_s;
	usual = p->usual.time_s + fmax(GRACE * p->usual.time_s, LEAST_GRACE_S);
	if (p->usual.time_s > 0 && (!(limit->seconds > 0) || limit->seconds > usual))
		limit->seconds = usual;
}

/* ---- checks ---- */

/*
 * Checks --predict. Returns ST_OK or an exit status (reported). The option needs a command that a
 * model covers. It also needs parameters, which are given or measured between two ranks.
 */
static int check_prediction(const struct plan *p)
{
	const struct settings *st = p->settings;
	bool given = st->network.known || st->network.is_board;

	if (!st->m.predict)
		return ST_OK;
	if (!p->what->observe)
		return error_usage("option '--predict' is not for '%s': no model covers this "
				   "command", st->command);
	if (!given && !st->be->rdma)
		return error_usage("option '--predict' needs the network's parameters: "
				   "give '--like'");
	if (st->network.known && p->what->pattern == &pattern_read)
		return error_usage("option '--predict' can model reads only by the RDMA form, "
				   "whose parameters are measured: leave out '--like'");
	if (!given && p->ranks < 2)
		return error_usage("option '--predict' measures the network's parameters between "
				   "two ranks: with one rank it needs '--like'");
	return ST_OK;
}

/*
 * Returns the first of these options that was given, or NULL if none was. Skips --visits if the
 * option counts visits of the benchmark's own objects.
 */
static const char *find_given(const struct plan *p, const char *const *options)
{
	for (; *options; options++)
		if (settings_given(p->settings, *options) &&
		    !(p->what->traits & OWN_VISITS && !strcmp(*options, "visits")))
			return *options;
	return NULL;
}

/*
 * In virtual time, refuses options that control a real clock or real cores. If the number of
 * repetitions is fixed, refuses options that decide when a point ends. Returns ST_OK or an exit
 * status (reported).
 */
static int check_options_apply(const struct plan *p)
{
	static const char *const real[] = { "pin", "timer", "repetitions", "warmup", "ci", "sync",
					    "point-time", "visits", "load", NULL };
	static const char *const free[] = { "ci", "point-time", "visits", "samples", NULL };
	bool virtual = settings_virtual(p->settings), fixed = p->n && p->specs[0].repetitions;
	const char *option = virtual ? find_given(p, real) : NULL;

	if (option)
		return error_usage("option '--%s' has no meaning on backend '%s': time is virtual",
				   option, p->settings->be->name);
	if (p->usual.once && settings_given(p->settings, "visits"))
		return error_usage("option '--visits' has no meaning here: the command has its "
				   "own order of points");
	option = fixed ? find_given(p, free) : NULL;
	if (option)
		return error_usage("option '--%s' has no meaning here: points have a fixed number "
				   "of repetitions", option);
	return ST_OK;
}

static int check_outputs(const struct settings *st)
{
	bool json = st->output.format == FORMAT_JSON;
	int err = report_check(&st->output);

	for (size_t i = 0; i < st->output.outputs.n && !err; i++) {
		const char *suffix = strrchr(st->output.outputs.v[i], '.');

		json |= suffix && !strcmp(suffix, ".json");
	}
	if (!err && st->m.samples && !json)
		err = error_usage("option '--samples' needs '--format json' or "
				  "'--output FILE.json'");
	return err;
}

/*
 * Refuses a plan that cannot run here. If a launcher starts the ranks, each rank checks its own
 * machine later. Returns ST_OK or an exit status (reported).
 */
static int check_plan(const struct plan *p)
{
	const struct settings *st = p->settings;
	char why[256] = "";
	int err = check_prediction(p);

	if (!err)
		err = check_options_apply(p);
	if (!err && st->launch.rank <= 0)
		err = check_outputs(st);
	if (!err && st->be->check)
		err = st->be->check(st->backend_options, st->given, p->ranks);
	if (!err && !st->job->enter && backend_probe(st->be, st->backend_options, why, sizeof(why)))
		err = error_unavailable("backend '%s' cannot run here: %s", st->be->name, why);
	return err;
}

unsigned plan_verify_caps(const struct plan *p)
{
	unsigned needs = 0;

	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++)
		needs |= each_capabilities(p->settings, spec);
	return needs;
}

/*
 * If each message is to be verified, checks that the backend can do so. Adds the kind of
 * verification to the definition, because it changes the times. Returns ST_OK or an exit status
 * (reported).
 */
static int check_verification(struct plan *p)
{
	const struct settings *st = p->settings;
	const char *how = verify_names[st->m.verify];
	const char *missing = cap_name(plan_verify_caps(p) & ~st->be->caps);
	char *definition;

	if (!plan_verify_caps(p))
		return ST_OK;
	if (missing)
		return error_unavailable("'--verify %s' needs '%s', which backend '%s' does not "
					 "offer", how, missing, st->be->name);
	definition = plan_alloc(p, strlen(p->definition) + strlen(how) + 2, 1);
	if (!definition)
		return ST_FAILED;
	sprintf(definition, "%s+%s", p->definition, how);
	p->definition = definition;
	return ST_OK;
}

int plan_report_missing(const char *command, const char *missing, const char *backend)
{
	bool pair = !strcmp(missing, cap_name(CAP_PAIR));

	return error_unavailable("%s needs '%s'%s, which backend '%s' does not offer", command,
				 missing, pair ? ", messages between any two ranks" : "", backend);
}

/*
 * Checks that the backend has the capabilities that the plan's pattern needs. Returns ST_OK or an
 * exit status (reported).
 */
static int check_pattern(const struct plan *p)
{
	const struct backend *be = p->settings->be;
	const char *missing = p->pattern ? cap_name(p->pattern->needs & ~be->caps) : NULL;

	return missing ? plan_report_missing(p->settings->command, missing, be->name) : ST_OK;
}

int plan_make(struct plan *p, struct settings *st, const struct benchmark *what)
{
	int err;

	*p = (struct plan){ .settings = st, .what = what, .definition = what->definition,
			    .pattern = what->pattern, .usual.max_loops = PILOT_MOST };
	if ((err = check_pattern(p)) || (err = settings_read_network(st)) ||
	    (err = check_launched_ranks(p)))
		return err;
	if (st->monitor && (err = monitoring_check(&st->monitoring, st->given, &st->output)))
		return err;
	if (st->m.ranks.n > 1 && !(what->traits & SWEEPS_RANKS))
		return error_usage("option '--ranks' takes one number for %s, not a list",
				   st->command);
	if ((err = choose_sizes(p, st)) || (err = what->plan(p)) || (err = check_pattern(p)) ||
	    (err = check_plan(p)))
		return err;
	complete_specs(p, st);
	choose_time_limit(p, st);
	return check_verification(p);
}

/* ---- the plan as text ---- */

#define WIDTH 79		/* columns of the wrapped text */

/* Writes, for example, "4 points, 1 warm-up and 6 to 1000 repetitions each, until ..." */
static void print_stopping_rule(const struct plan *p, struct text *t)
{
	const struct stopping *s = &p->stopping;

	if (s->deterministic) {
		text_add(t, "one repetition each: time is virtual");
		return;
	}
	text_add(t, "%llu warm-up and ", (unsigned long long)p->warmup);
	if ((p->n && p->specs[0].repetitions) || s->min == s->max) {
		text_add(t, "%llu repetitions each", (unsigned long long)s->max);
		return;
	}
	text_add(t, "%llu to %llu repetitions each", (unsigned long long)s->min,
		 (unsigned long long)s->max);
	if (s->ci > 0)
		text_add(t, ", until the confidence interval of the median is within %s %%",
			 plain(s->ci * 100, 3).s);
	if (s->point_time_s > 0)
		text_add(t, ", or %s s are spent: about %.0f s in all, plus pilots and "
			 "checks", plain(s->point_time_s, 3).s,
			 s->point_time_s * (double)p->n);
	if (s->visits > 1)
		text_add(t, ", in %llu visits in random order", (unsigned long long)s->visits);
	if (s->longest_s > 0)
		text_add(t, "; a slow point ends within %s s, with fewer repetitions",
			 plain(s->longest_s, 3).s);
}

void plan_print(const struct plan *p, FILE *to)
{
	const struct settings *st = p->settings;
	struct text t = { .n = 0 };
	bool loads = false;

	for (size_t i = 0; i < p->n; i++)
		loads |= p->specs[i].load;
	fprintf(to, "%s on backend %s, job %s, %d ranks, verify %s\n", st->command, st->be->name,
		st->job->name, p->ranks, verify_names[st->m.verify]);
	text_add(&t, "%zu point%s, ", p->n, p->n == 1 ? "" : "s");
	print_stopping_rule(p, &t);
	if (settings_monitors(st))
		text_add(&t, "; all of them in each of %.0f intervals of %s s",
			 ceil(st->monitoring.duration_s / st->monitoring.interval_s),
			 plain(st->monitoring.interval_s, 4).s);
	text_wrap(to, t.s, 0, WIDTH);
	fprintf(to, "%12s %8s %8s %12s %8s  %s%s\n", "size", "window", "batch", "loops", "ranks",
		loads ? "load      " : "", "pattern");
	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++) {
		const struct program *program = spec->pattern->program;
		int ranks = spec->nranks ? spec->nranks : p->ranks;
		char loops[32] = "pilot";

		if (spec->loops != LOOPS_BY_PILOT)
			snprintf(loops, sizeof(loops), "%" PRIu64, spec->loops);
		fprintf(to, "%12" PRIu64 " %8u %8u %12s %8d  ", spec->size, spec->window,
			spec->batch, loops, program ? program->ranks(spec->program_args) : ranks);
		if (loads)
			fprintf(to, "%-8s  ", load_names[spec->load]);
		fprintf(to, "%s\n", spec->pattern->name);
	}
	if (p->what->foretell)
		p->what->foretell(p, to);
}

/* ---- pure parts ---- */

int plan_sizes(const struct numbers *explicit, uint64_t min_log2, uint64_t max_log2,
	       struct numbers *list)
{
	size_t n = explicit->n;

	*list = (struct numbers){ 0 };
	if (!n && min_log2 > max_log2)
		return error_usage("smallest size 2^%" PRIu64 " is above the largest, 2^%" PRIu64,
				   min_log2, max_log2);
	if (!n && max_log2 > MAX_LOG2)
		return error_usage("largest size 2^%" PRIu64 " is above 2^%d", max_log2, MAX_LOG2);
	if (!n)
		n = max_log2 - min_log2 + 1;
	list->v = reallocarray(NULL, n, sizeof(*list->v));
	if (!list->v)
		return error_report("no memory for %zu sizes", n);
	list->n = n;
	if (explicit->n)
		memcpy(list->v, explicit->v, n * sizeof(*list->v));
	else
		for (size_t i = 0; i < n; i++)
			list->v[i] = UINT64_C(1) << (min_log2 + i);
	return ST_OK;
}

/*
 * Returns the channel words of a message on two channels that are w bytes wide. An empty message
 * counts as one word.
 */
static uint64_t beff_channel_words(uint64_t w, uint64_t size)
{
	uint64_t words = size / (2 * w) + (size % (2 * w) != 0);

	return words ? words : 1;
}

uint64_t plan_beff_loops(uint64_t u, uint64_t l, uint64_t w, uint64_t size)
{
	uint64_t loops = u / beff_channel_words(w, size);

	return loops > l ? loops : l;
}

uint64_t plan_beff_upper(uint64_t loops, uint64_t w, uint64_t size)
{
	return loops * beff_channel_words(w, size);
}

uint64_t plan_loops(double target_s, double loop_s, uint64_t max)
{
	double loops = ceil(target_s / loop_s);

	if (max <= 1 || loops <= 1)
		return 1;
	/* the comparison also covers loop_s = 0, a time below the resolution of the clock */
	return loops < (double)max ? (uint64_t)loops : max;
}
