/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures round trips, bandwidth or sums under load. Victims are measured in pairs of epochs. In
 * one epoch of a pair the aggressors send; in the other epoch they are quiet.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "cmd/load/epoch.h"
#include "cmd/load/hosts.h"
#include "cmd/load/instants.h"
#include "cmd/load/measure.h"
#include "cmd/load/rows.h"
#include "cmd/monitor.h"
#include "measure/measure.h"
#include "measure/sink/sink.h"

#define RANKS 4			/* default number of ranks, and the smallest number allowed */
#define EPOCH_S 200e-3
#define VIRTUAL_EPOCH_S 20e-3
#define VICTIM_SIZE 8		/* default size for round trips */
#define VICTIM_BYTES 65536	/* default size for bandwidth */

static const char *const distances[] = { "poisson", "periodic", NULL };
enum { POISSON, PERIODIC };

static const char *const targets[] = { "first", "rotate", NULL };
enum { FIRST, ROTATE };

struct load_options {
	uint64_t victim, place, target, pace, arrivals, window, victim_window, outstanding, epochs;
	uint64_t victim_size, aggressor_size;
	const char *aggressors, *rates, *switches;
	struct numbers levels, victim_ranks, aggressor_ranks;
	double epoch_s;
};

#define AT(member) offsetof(struct load_options, member)
static const struct opt options[] = {
	{ 0, "victim", "name", OPT_CHOICE, AT(victim), .def = "pingpong",
	  .choices = load_victim_names,
	  .help = "what victims measure; pingpong: round trips of one message; bandwidth: windows "
		  "of messages, each with a reply; allreduce: sums over all victims, by recursive "
		  "doubling" },
	{ 0, "aggressor", "list", OPT_TEXT, AT(aggressors), .def = "incast",
	  .help = "pattern of the load: incast, alltoall, permutation, broadcast, or several at "
		  "once, such as incast+alltoall; one row for each item" },
	{ 0, "target", "name", OPT_CHOICE, AT(target), .def = "first", .choices = targets,
	  .help = "where incast goes; first: to the first aggressor; rotate: to the next one in "
		  "each epoch" },
	{ 0, "levels", "list", OPT_UINTS, AT(levels), .def = "0,25,50,75,100", .max = 100,
	  .help = "loads, percent of the rate that aggressors deliver without victims; 100: closed "
		  "loop" },
	{ 0, "pace", "name", OPT_CHOICE, AT(pace), .def = "poisson", .choices = distances,
	  .help = "when aggressors send at loads below 100 percent; periodic: at equal distances, "
		  "all at the same times" },
	{ 0, "rate", "list", OPT_TEXT, AT(rates), .def = "closed",
	  .help = "events per second of each asking victim, in an open loop; closed: the next "
		  "event begins when the last has ended" },
	{ 0, "arrivals", "name", OPT_CHOICE, AT(arrivals), .def = "poisson", .choices = distances,
	  .help = "when victims' events begin in an open loop" },
	{ 0, "outstanding", "count", OPT_UINT, AT(outstanding), .def = "64", .min = 1, .max = 4096,
	  .help = "most events of a victim in flight in an open loop; with victim allreduce always "
		  "1" },
	{ 'w', "window", "messages", OPT_UINT, AT(window), .def = "4", .min = 1, .max = 128,
	  .help = "messages that an aggressor has in flight" },
	{ 0, "victim-window", "messages", OPT_UINT, AT(victim_window), .def = "16", .min = 1,
	  .max = 4096, .help = "with victim bandwidth: messages before a reply" },
	{ 0, "victim-size", "bytes", OPT_SIZE, AT(victim_size), .def = "auto",
	  .min = LOAD_VICTIM_LEAST, .max = 1 << 30, .word = "auto",
	  .help = "size of a victim's message; auto: 8, with victim bandwidth 65536" },
	{ 0, "aggressor-size", "bytes", OPT_SIZE, AT(aggressor_size), .def = "128k",
	  .min = LOAD_AGGRESSOR_LEAST, .max = 1 << 30, .help = "size of an aggressor's message" },
	{ 0, "epochs", "count", OPT_UINT, AT(epochs), .def = "20", .min = 1, .max = 10000,
	  .help = "pairs of a quiet and a loaded epoch; fewer than 6 have no interval" },
	{ 0, "epoch", "time", OPT_SECONDS, AT(epoch_s), .def = "auto", .min = 1e-5, .max = 60,
	  .word = "auto",
	  .help = "length of an epoch, whose first tenth is not counted; auto: 200 ms, in virtual "
		  "time 20 ms" },
	{ 0, "place", "name", OPT_CHOICE, AT(place), .def = "random", .choices = load_place_names,
	  .help = "how victims are chosen: at random by --seed, spread evenly over hosts, "
		  "together on as few hosts or switches as possible, or on switches without "
		  "aggressors" },
	{ 0, "switches", "file", OPT_TEXT, AT(switches), .file = OPT_READ_ON_0,
	  .help = "with --place same-switch or apart: lines of a host and its switch" },
	{ 0, "victims", "list", OPT_UINTS, AT(victim_ranks), .max = 1 << 20,
	  .help = "ranks that are victims, in pairs: the first rank of a pair asks; with victim "
		  "allreduce one group" },
	{ 0, "aggressors", "list", OPT_UINTS, AT(aggressor_ranks), .max = 1 << 20,
	  .help = "ranks that are aggressors; incast sends to the first" },
	{ 0 },
};

/* ---- columns ---- */

#define ESTIMATE(id) id, id##_LO, id##_HI
#define TIMES(id) \
	ESTIMATE(id##_P50), ESTIMATE(id##_P90), ESTIMATE(id##_P99), ESTIMATE(id##_P999), \
	id##_MEAN, id##_MAX
#define TABLE \
	COL_AGGRESSOR, COL_LOAD_ASKED, COL_LOAD_ACHIEVED, COL_LOOP, COL_RATE_ASKED, \
	COL_RATE_ACHIEVED, COL_LATENCY_P50, COL_LATENCY_P99, COL_QUIET_P50, COL_QUIET_P99, \
	COL_FACTOR_P50, COL_FACTOR_P50_LO, COL_FACTOR_P50_HI, COL_FACTOR_P99, \
	COL_UNANSWERED, COL_EPOCHS, COL_NOTE

static const enum column_id columns_of_load[] = {
	TABLE,
	/* the following columns appear only in files */
	COL_VICTIM, COL_SIZE, COL_WINDOW, COL_PLACEMENT, COL_SHARES_HOST, COL_RATE_ACHIEVED_LO,
	COL_RATE_ACHIEVED_HI, COL_LOAD_ACHIEVED_LO, COL_LOAD_ACHIEVED_HI,
	COL_LATENCY_P50_LO, COL_LATENCY_P50_HI, ESTIMATE(COL_LATENCY_P90), COL_LATENCY_P99_LO,
	COL_LATENCY_P99_HI, ESTIMATE(COL_LATENCY_P999), COL_LATENCY_MEAN, COL_LATENCY_MAX,
	COL_QUIET_P50_LO, COL_QUIET_P50_HI, ESTIMATE(COL_QUIET_P90), COL_QUIET_P99_LO,
	COL_QUIET_P99_HI, ESTIMATE(COL_QUIET_P999), COL_QUIET_MEAN, COL_QUIET_MAX,
	TIMES(COL_SERVICE), COL_FACTOR_P99_LO, COL_FACTOR_P99_HI, COL_BACKLOG, COL_LATE_SENDS,
	COL_CHECKED, COL_ERRORS,
};
#define NTABLE (sizeof((enum column_id[]){ TABLE }) / sizeof(enum column_id))
static const enum column_id narrow[] = {
	COL_AGGRESSOR, COL_LOAD_ASKED, COL_LOAD_ACHIEVED, COL_LATENCY_P50, COL_LATENCY_P99,
	COL_QUIET_P50, COL_FACTOR_P50, COL_NOTE,
};

/* ---- the plan ---- */

/*
 * Parses a rate: "closed", which sets *rate to 0, or a number above 0. Returns ST_OK or ST_USAGE
 * (reported).
 */
static int parse_rate(const char *word, double *rate)
{
	*rate = 0;
	if (!strcmp(word, "closed") || (scan_real(word, rate) == V_OK && *rate > 0))
		return ST_OK;
	return error_usage("value '%s' of '--rate' is neither 'closed' nor a number of events a "
			   "second", word);
}

/*
 * Splits a list at its commas. The texts live as long as the plan. Returns ST_OK, or ST_FAILED
 * without memory.
 */
static int split_list(struct plan *p, const char *list, const char ***words, size_t *n)
{
	size_t room = 1;
	char *copy;

	for (const char *c = list; *c; c++)
		room += *c == ',';
	*words = plan_alloc(p, room, sizeof(**words));
	copy = plan_alloc(p, strlen(list) + 1, 1);
	if (!*words || !copy)
		return ST_FAILED;
	strcpy(copy, list);
	for (*n = 0; copy;)
		(*words)[(*n)++] = strsep(&copy, ",");
	return ST_OK;
}

static int check_load(const struct plan *p, const struct load_options *o)
{
	static const char *const excluded_options[] = {
		"sizes", "max-size", "min-size", "repetitions", "warmup", "visits", "ci",
		"point-time", "verify", "samples"
	};
	const struct settings *st = p->settings;
	bool named = o->victim_ranks.n || o->aggressor_ranks.n;

	for (size_t i = 0; i < LENGTH(excluded_options); i++)
		if (settings_given(st, excluded_options[i]))
			return error_usage("option '--%s' is not for load, which has '--epochs', "
					   "'--victim-size' and '--aggressor-size'",
					   excluded_options[i]);
	if (named && !(o->victim_ranks.n && o->aggressor_ranks.n))
		return error_usage("'--victims' and '--aggressors' are given together or "
				   "not at all");
	if (o->victim == VICTIM_ALLREDUCE && o->victim_size != OPT_AUTO &&
	    o->victim_size % sizeof(double))
		return error_usage("value '%llu' of '--victim-size' is no multiple of 8: victim "
				   "allreduce adds numbers of 8 bytes",
				   (unsigned long long)o->victim_size);
	if ((o->place >= PLACE_SAME_SWITCH) != (o->switches != NULL))
		return error_usage("'--place same-switch' and '--place apart' need '--switches', "
				   "other placements do not");
	if (named && settings_given(st, "place"))
		return error_usage("option '--place' excludes '--victims' and '--aggressors'");
	return ST_OK;
}

/* Frees the roles when the plan ends. */
static void release_cast(void *cast)
{
	cast_free(cast);
	free(cast);
}

/* Returns how ranks get their roles; `h` is NULL while hosts are not known. */
static struct casting casting_of(const struct load_options *o, const struct hosts *h, uint64_t seed)
{
	return (struct casting){ .victims = o->victim_ranks, .aggressors = o->aggressor_ranks,
				 .place = (enum load_place)o->place,
				 .host = h ? h->host : NULL, .leaf = h ? h->leaf : NULL,
				 .together = o->victim == VICTIM_ALLREDUCE, .seed = seed };
}

static struct cast *make_cast(struct plan *p, const struct load_options *o)
{
	struct cast *c = calloc(1, sizeof(*c));
	struct casting how;

	if (!c || plan_free_later(p, release_cast, c)) {
		error_report("no memory for the roles of ranks");
		return NULL;
	}
	how = casting_of(o, NULL, p->settings->m.seed);
	/* the switches are not known yet; these roles only have the right numbers */
	if (how.place == PLACE_APART)
		how.place = PLACE_SAME_SWITCH;
	return cast_make(c, p->ranks, &how) ? NULL : c;
}

static int add_point(struct plan *p, const struct load_point *point)
{
	struct load_point *kept = plan_alloc(p, 1, sizeof(*kept));
	const struct load_args *a = &point->args;

	if (!kept)
		return ST_FAILED;
	*kept = *point;
	return plan_add(p, &(struct spec){
		.pattern = &pattern_load, .program_args = &kept->args, .own = kept, .loops = 1,
		.size = a->victim_size > a->aggressor_size ? a->victim_size : a->aggressor_size,
		.window = a->window, .batch = 1 });
}

static int plan_load(struct plan *p)
{
	const struct load_options *o = p->settings->own;
	bool virtual = settings_virtual(p->settings), bandwidth = o->victim == VICTIM_BANDWIDTH;
	int err = check_load(p, o);
	const char **aggressors, **rates;
	size_t naggressors, nrates;
	struct load_point point = { .epochs = o->epochs };
	struct load_args *a = &point.args;

	if (!err)
		err = plan_ranks(p, RANKS);
	if (!err)
		err = split_list(p, o->aggressors, &aggressors, &naggressors);
	if (!err)
		err = split_list(p, o->rates, &rates, &nrates);
	if (err)
		return err;
	*a = (struct load_args){
		.cast = make_cast(p, o), .victim = (enum load_victim)o->victim,
		.victim_size = o->victim_size != OPT_AUTO ? o->victim_size
			       : bandwidth		  ? VICTIM_BYTES
							  : VICTIM_SIZE,
		.aggressor_size = o->aggressor_size, .victim_window = (uint32_t)o->victim_window,
		.window = (uint32_t)o->window, .outstanding = (uint32_t)o->outstanding,
		.victims_periodic = o->arrivals == PERIODIC,
		.aggressors_periodic = o->pace == PERIODIC,
		.rotates = o->target == ROTATE,
		.epoch_s = o->epoch_s != OPT_AUTO_SECONDS ? o->epoch_s
			   : virtual			  ? VIRTUAL_EPOCH_S
							  : EPOCH_S,
		.seed = p->settings->m.seed };
	if (!a->cast)
		return ST_USAGE;
	p->usual.once = true;
	for (size_t g = 0; g < naggressors && !err; g++) {
		point.aggressor = aggressors[g];
		a->patterns = cast_parse_patterns(aggressors[g]);
		if (!a->patterns)
			return ST_USAGE;
		for (size_t k = 0; k < nrates && !err; k++) {
			err = parse_rate(rates[k], &a->rate);
			if (!err && a->rate > 0 && bandwidth)
				err = error_usage("option '--rate' is not for '--victim "
						  "bandwidth', whose windows follow each "
						  "other");
			if (!err && instants_room(a->rate * a->epoch_s) > LOAD_MOST_EVENTS)
				err = error_usage("'--rate %s' makes more than %d events in an "
						  "epoch: shorten '--epoch'", rates[k],
						  LOAD_MOST_EVENTS);
			for (size_t i = 0; i < o->levels.n && !err; i++) {
				point.level = (double)o->levels.v[i] / 100;
				err = add_point(p, &point);
			}
		}
	}
	return err;
}

/* ---- the run ---- */

/*
 * Measures a point. First measures the capacity of the point's aggressors, unless the previous
 * point had the same patterns.
 */
static void run_point(struct session *s, const struct spec *spec, const struct load_point *planned,
		      struct load_stage *stage, double *capacity, unsigned *of)
{
	const struct load_point *p = spec->own;
	struct load_result res;

	if (p->level > 0 && *of != p->args.patterns) {
		*capacity = load_capacity(s, spec);
		*of = p->args.patterns;
		if (session_is_over(s))
			return;
	}
	load_measure(s, spec, *capacity, &res);
	if (!session_is_root(s))
		return;
	s->sink->errors += res.errors;
	if (res.epochs || res.failed)
		load_write_row(s, planned, stage, &res);
	json_decref(res.samples);
	s->sink->count.done++;
}

static void run_load(struct session *s)
{
	const struct load_options *o = s->settings->own;
	struct load_point first = *(const struct load_point *)s->plan->specs[0].own;
	struct cast placed = { .ranks = 0 };
	struct load_stage stage = { .named = o->victim_ranks.n, .place = o->place,
				    .seed = s->settings->m.seed };
	char room[CANNOT_TEXT];
	const char *why = NULL;
	double capacity = 0;
	unsigned of = 0;
	struct hosts h;

	hosts_find(&h, s, o->switches);
	if (!stage.named && o->place != PLACE_RANDOM) {
		struct casting how = casting_of(o, &h, s->settings->m.seed);

		if (cast_make(&placed, s->job->size, &how))
			session_abort(s, ST_FAILED);
		first.args.cast = &placed;
	}
	for (int i = 0; i < first.args.cast->nvictims; i++)
		for (int j = 0; j < first.args.cast->naggressors; j++)
			stage.shares |= h.host[first.args.cast->victim[i]] ==
					h.host[first.args.cast->aggressor[j]];
	if (session_is_root(s))
		load_record_roles(s, first.args.cast);
	for (size_t i = 0; i < s->plan->n && !session_is_over(s); i++) {
		struct spec spec = s->plan->specs[i];
		struct load_point point = *(const struct load_point *)spec.own;

		point.args.cast = first.args.cast;
		spec.program_args = &point.args;
		spec.own = &point;
		why = measure_refusal(s, &spec, room);
		if (why && session_is_root(s))
			sink_row_left_out(s, &spec, why);
		if (!why)
			run_point(s, &spec, s->plan->specs[i].own, &stage, &capacity, &of);
	}
	if (session_is_root(s))
		load_conclude(s, &stage);
	cast_free(&placed);
	hosts_free(&h);
}

static const struct benchmark load = {
	.definition = "load.v1",
	.pattern = &pattern_load,
	.columns = { .id = columns_of_load, .n = LENGTH(columns_of_load), .ntable = NTABLE,
		     .narrow = narrow, .nnarrow = LENGTH(narrow) },
	.sizes = { .max_log2 = 0 },
	.min_ranks = RANKS,
	.plan = plan_load,
	.label = load_label,
	.run = run_load,
};

const struct command cmd_load = {
	.name = "load",
	.summary = "round trips, rates and sums while others load the network",
	.options = options,
	.options_size = sizeof(struct load_options),
	.lead = "backend ranks victim aggressor levels rate output",
	.bench = &load,
	.monitor = &monitor_changes,
};
