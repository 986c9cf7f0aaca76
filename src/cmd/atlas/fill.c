/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills the columns of the ATLAS benchmarks from results, and computes the note's quantities for
 * each series.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/atlas/fill.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"
#include "model/atlas.h"
#include "model/parameters.h"
#include "model/predict.h"
#include "base/line.h"
#include "base/values.h"
#include "result/document.h"

/* A role is the bottleneck of a farm if it waits for less than this share of its time. */
#define BUSY 0.25

/*
 * If a rank and its computing task get less than this share of a processor, other work shares that
 * processor.
 */
#define UNDISTURBED 0.9

/* ---- contents of one iteration ---- */

struct iteration_content {
	double messages; /* consecutive messages: the time of one is time / messages */
	double events;		/* events as the note counts them: a round trip is two */
	double deliveries;	/* messages that all ranks together deliver in an event */
	double sharers;		/* processes that share these deliveries */
};

static struct iteration_content iteration_content_of(const struct spec *spec)
{
	const struct setup *s = atlas_setup(spec);
	double n = s->size, w = spec->window, ends = s->farm.destinations;

	switch (s->row->cast) {
	case CAST_PAIR:
		return s->row->symmetric ? (struct iteration_content){ w, w, 2, 2 }
					 : (struct iteration_content){ 2, 2, 1, 1 };
	case CAST_HALVES:
		return (struct iteration_content){ w, w, n / 2, n / 2 };
	case CAST_ALL:
		return (struct iteration_content){ n - 1, 1, n * (n - 1), n };
	case CAST_HUB:
		return (struct iteration_content){ s->row->multicast ? 1 : n - 1, 1, n - 1, n - 1 };
	case CAST_PIPELINE:
		return (struct iteration_content){ ends, ends, s->farm.sources / ends, n - 1 };
	default:
		return (struct iteration_content){ 1, 1, s->farm.sources, n - 1 };
	}
}

/* ---- cells ---- */

void atlas_label(const struct session *session, const struct spec *spec, struct row *row)
{
	const struct record *rec = &session->sink->record;
	const struct setup *s = atlas_setup(spec);
	uint64_t sources = s->farm.sources > 0 ? (uint64_t)s->farm.sources : 0;
	bool pipeline = s->row->cast == CAST_PIPELINE;

	ROW_PUT(row, rec, { COL_BENCHMARK, val_text(s->row->number) },
		{ COL_RANKS, val_uint((uint64_t)s->size) });
	if (s->peers)
		row_put(row, rec, COL_PEERS, val_text(s->peers));
	if (s->algorithm[0])
		row_put(row, rec, COL_ALGORITHM, val_text(s->algorithm));
	if (!atlas_is_farm(s))
		ROW_PUT(row, rec, { COL_LOAD, val_text(load_names[spec->load]) },
			{ COL_WINDOW, val_uint(spec->window) });
	else
		ROW_PUT(row, rec, { COL_WINDOW, { .kind = VAL_NONE } },
			{ COL_SOURCES, val_uint(sources) },
			{ COL_DESTINATIONS, val_uint((uint64_t)s->farm.destinations) },
			{ COL_OCCUPATION, val_real(s->farm.occupation_s) },
			{ pipeline ? COL_STAGES : COL_CREDITS,
			  val_uint(pipeline ? (uint64_t)s->farm.stages : s->farm.credits) });
}

static void fill_times(const struct record *rec, const struct result *res, struct row *row)
{
	const struct setup *s = atlas_setup(res->spec);
	const struct summary *t = &res->time;
	const struct iteration_content of = iteration_content_of(res->spec);
	double n = (double)res->loops * of.events;
	double size = (double)res->spec->size;

	ROW_PUT(row, rec, { COL_EVENT, val_real(t->p50 / n) },
		{ COL_EVENT_LO, val_real(t->lo / n) }, { COL_EVENT_HI, val_real(t->hi / n) },
		{ COL_FREQUENCY, val_real(n / t->p50) },
		{ COL_FREQUENCY_LO, val_real(n / t->hi) },
		{ COL_FREQUENCY_HI, val_real(n / t->lo) });
	if (!atlas_is_farm(s) && !s->row->multicast)
		row_put(row, rec, COL_MESSAGE,
			val_real(t->p50 / (double)res->loops / of.messages));
	if (res->spec->size)
		row_put(row, rec, COL_BANDWIDTH, val_real(of.deliveries * size * n / t->p50));
	if (res->spec->size && !atlas_is_farm(s))
		row_put(row, rec, COL_PROCESS_BANDWIDTH,
			val_real(of.deliveries / of.sharers * size * n / t->p50));
}

/*
 * Finds the earlier result without load that has the same set-up, size and window as `spec`.
 * Returns NULL if it was not measured.
 */
static const struct unloaded *find_unloaded(const struct session *s, const struct spec *spec)
{
	const struct atlas_state *state = s->own;

	for (size_t i = (size_t)(spec - s->plan->specs); i-- > 0;) {
		const struct spec *p = &s->plan->specs[i];

		if (!p->load && p->own == spec->own && p->size == spec->size &&
		    p->window == spec->window)
			return state->unloaded[i].loops ? &state->unloaded[i] : NULL;
	}
	return NULL;
}

/*
 * Returns the text of column slowdown_note. The text says whether the machine was busy, and whether
 * a slowdown has no interval.
 */
static const char *slowdown_note(const struct result *res, bool bounded)
{
	bool busy = res->processor < UNDISTURBED;

	return busy ? bounded ? "busy" : "busy, no interval" : bounded ? "" : "no interval";
}

/*
 * Fills the slowdowns that communication and computing cause each other. For a spec without load,
 * only stores the result, so that later results with load can be compared with it.
 */
static void fill_slowdowns(struct session *s, const struct result *res, struct row *row)
{
	const struct record *rec = &s->sink->record;
	struct atlas_state *state = s->own;
	const struct unloaded *u = find_unloaded(s, res->spec);
	bool bounded = true;

	if (!res->spec->load) {
		struct unloaded *keep = &state->unloaded[res->spec - s->plan->specs];

		*keep = (struct unloaded){ .time = res->time, .loops = res->loops };
		for (size_t i = 0; i < res->times.n; i++)
			if (series_push(&keep->times, res->times.s[i]))
				session_abort(s, error_report("no memory for samples"));
		return;
	}
	if (u) {	/* slowdown = time of an iteration with load / time without load */
		const struct summary *with = &res->time, *without = &u->time;
		double loops = (double)u->loops / (double)res->loops, x = with->p50 / without->p50;
		struct interval i = { with->lo / without->hi, with->hi / without->lo };

		if (with->method != CI_VISITS && without->method != CI_VISITS)
			i = median_ratio_interval(&u->times, &res->times, s->settings->m.seed);
		i = interval_around(i, x);
		bounded = !isnan(i.lo);
		ROW_PUT(row, rec, { COL_COMM_SLOWDOWN, val_real(x * loops) },
			{ COL_COMM_SLOWDOWN_LO, val_real(i.lo * loops) },
			{ COL_COMM_SLOWDOWN_HI, val_real(i.hi * loops) });
	}
	if (res->work_during > 0) {
		bounded &= !isnan(res->slowdown.lo);
		ROW_PUT(row, rec,
			{ COL_COMPUTE_SLOWDOWN, val_real(res->work_alone / res->work_during) },
			{ COL_COMPUTE_SLOWDOWN_LO, val_real(res->slowdown.lo) },
			{ COL_COMPUTE_SLOWDOWN_HI, val_real(res->slowdown.hi) });
	}
	row_put(row, rec, COL_PROCESSOR_SHARE, val_real(res->processor));
	row_put(row, rec, COL_SLOWDOWN_NOTE, val_text(slowdown_note(res, bounded)));
	state->processor = fmin(state->processor, res->processor);
}

/* The bottleneck of a farm, found from the times that its roles spend waiting. */
struct bound {
	const char *name;
	/*
	 * number of credits at which the busiest rank would never wait; NaN: credits are not the
	 * bottleneck
	 */
	double credits;
};

/*
 * In virtual time, sets busy[role] to the share of the time during which the role's network
 * interface is busy. In real time, or if the network is unknown, sets each share to 0. A rank may
 * wait for its own interface. The model of these shares assumes that processors take no time.
 */
static void find_interface_shares(const struct session *s, const struct result *res,
				  double busy[FARM_ROLES])
{
	const struct network *net = &s->settings->network;
	const struct farm_plan *plan = &atlas_setup(res->spec)->farm;
	const struct loggp gaps = { .g = net->p.g, .G = net->p.G };
	uint64_t k = res->spec->size, S = (uint64_t)plan->sources, D = (uint64_t)plan->destinations;
	double rate = (double)res->loops / res->time.p50;
	struct atlas_pipeline line = { 0 };
	struct atlas_farm farm = { 0 };

	for (int i = 0; i < FARM_ROLES; i++)
		busy[i] = 0;
	if (!settings_virtual(s->settings) || !net->known)
		return;
	if (plan->kind == FARM_PIPELINE)
		line = atlas_pipeline(&gaps, k, S, (uint64_t)plan->stages, D, 0);
	else
		farm = (plan->kind == FARM_PUSH ? atlas_push : atlas_pull)(&gaps, k, S, 0);
	busy[FARM_SUPERVISOR] = rate * farm.supervisor;
	busy[FARM_SOURCE] = rate * (farm.source + line.source);
	busy[FARM_STAGE] = rate * line.stage;
	busy[FARM_DESTINATION] = rate * (farm.destination / (double)D + line.destination);
}

/*
 * Finds the bottleneck of a farm. The bottleneck is the role that waited least, if that role waited
 * for less than BUSY of its time. Otherwise the credits are the bottleneck, if the supervisor waits
 * without a credit while destinations wait for an event. The needed number of credits is the number
 * at which the busiest rank would never wait. If ranks share cores, they may have waited for a
 * core, so the credits are never named.
 */
static struct bound find_bottleneck(const struct session *s, const struct result *res)
{
	bool shared = s->sink->ranks_a_core > 1;
	struct bound b = { shared ? "processors" : "latency", NAN };
	double waited[FARM_ROLES], starved[FARM_ROLES], busy[FARM_ROLES], least = BUSY, idle = 1;
	bool pull = atlas_setup(res->spec)->farm.kind == FARM_PULL;

	find_interface_shares(s, res, busy);
	for (int i = 0; i < FARM_ROLES; i++) {
		const struct farm_tally *t = (const struct farm_tally *)res->tally + i;

		waited[i] = t->total_s > 0 ? t->waited_s / t->total_s : 1;
		waited[i] = fmax(0, fmin(waited[i], 1 - busy[i]));
		starved[i] = t->total_s > 0 ? t->starved_s / t->total_s : 0;
		if (waited[i] < least)
			b.name = farm_role_names[i];
		least = fmin(least, waited[i]);
		/*
		 * A destination of a pull farm handles one event at a time. More credits therefore
		 * shorten only its starved time.
		 */
		idle = fmin(idle, pull && i == FARM_DESTINATION ? starved[i] : waited[i]);
	}
	if (shared || least < BUSY ||
	    fmin(starved[FARM_SUPERVISOR], starved[FARM_DESTINATION]) < BUSY)
		return b;
	return (struct bound){ "credits",
			       ceil(atlas_setup(res->spec)->farm.credits / (1 - idle)) };
}

static void fill_roles(const struct session *s, const struct result *res, struct row *row)
{
	const struct record *rec = &s->sink->record;
	double occupied = 0, packets = 0;

	for (int i = 0; i < FARM_ROLES; i++) {
		const struct farm_tally *t = (const struct farm_tally *)res->tally + i;
		enum column_id first = (enum column_id)(COL_SHARES + 3 * i);

		occupied += t->occupied_s;
		packets += (double)t->packets;
		if (!(t->total_s > 0))
			continue;
		ROW_PUT(row, rec, { first, val_real(t->computed_s / t->total_s) },
			{ first + 1, val_real(t->communicated_s / t->total_s) },
			{ first + 2, val_real(t->waited_s / t->total_s) });
	}
	row_put(row, rec, COL_BOUND, val_text(find_bottleneck(s, res).name));
	if (atlas_setup(res->spec)->farm.occupation_s > 0 && packets > 0)
		row_put(row, rec, COL_OCCUPATION_GOT, val_real(occupied / packets));
	ROW_PUT(row, rec, { COL_INTERVAL_P50, val_real(res->iteration.p50) },
		{ COL_INTERVAL_P90, val_real(res->iteration.p90) },
		{ COL_INTERVAL_P99, val_real(res->iteration.p99) },
		{ COL_INTERVAL_P99_LO, val_real(res->tails.p99.lo) },
		{ COL_INTERVAL_P99_HI, val_real(res->tails.p99.hi) },
		{ COL_INTERVAL_MAX, val_real(res->iteration.max) });
}

/* ---- the note's quantities, computed from all sizes of a series ---- */

/*
 * Fits a line to the times of the series up to spec `last`. Sets *at0_s to the measured time of 0
 * bytes, or NaN.
 */
static struct line_fit fit_series(const struct session *session, const struct atlas_state *state,
				  size_t last, double *at0_s)
{
	const struct spec *specs = session->plan->specs;
	size_t n = last + 1 - state->first, used = 0;
	double *bytes = calloc(2 * n, sizeof(*bytes)), *seconds = bytes + n;
	struct line_fit fit = { NAN, NAN, NAN };

	*at0_s = NAN;
	for (size_t i = state->first; i <= last && bytes; i++) {
		double t = state->medians[i] / iteration_content_of(&specs[i]).messages;

		if (!isfinite(t))
			continue;
		if (!specs[i].size)
			*at0_s = t;
		bytes[used] = (double)specs[i].size;
		seconds[used++] = t;
	}
	if (bytes)
		fit = line_fit(bytes, seconds, used);
	free(bytes);
	return fit;
}

static void keep_larger(json_t *object, const char *key, double value)
{
	value = fmax(value, json_number_value(json_object_get(object, key)));
	json_object_set_new(object, key, real_or_null(value));
}

/* Returns an object with the members that identify a series (new reference). */
static json_t *make_series_entry(const struct spec *pt)
{
	const struct setup *s = atlas_setup(pt);
	bool farm = atlas_is_farm(s), supervised = s->row->cast == CAST_FARM;

	return json_pack("{s:s, s:i, s:s*, s:s*, s:o*, s:s*, s:o*, s:o*, s:o*, s:o*, s:o*}",
			 "benchmark", s->row->number, "ranks", s->size,
			 "algorithm", s->algorithm[0] ? s->algorithm : NULL, "peers", s->peers,
			 "window", s->row->windows ? json_integer(pt->window) : NULL,
			 "load", farm ? NULL : load_names[pt->load],
			 "sources", farm ? json_integer(s->farm.sources) : NULL,
			 "stages", farm && s->farm.stages ? json_integer(s->farm.stages) : NULL,
			 "destinations", farm ? json_integer(s->farm.destinations) : NULL,
			 "occupation_s", farm ? json_real(s->farm.occupation_s) : NULL,
			 "credits", supervised ? json_integer(s->farm.credits) : NULL);
}

static const char t0_below_zero[] =
	"t0 is below 0: the times do not lie on a line, so t0 is not an overhead";

static void fill_series(struct session *session, const struct result *res, struct row *row)
{
	const struct record *rec = &session->sink->record;
	const struct setup *s = atlas_setup(res->spec);
	struct atlas_state *state = session->own;
	json_t *all = json_object_get(rec->summary, "series");
	const struct iteration_content of = iteration_content_of(res->spec);
	size_t at = (size_t)(res->spec - session->plan->specs);
	double per_s = (double)res->loops * of.events / res->time.p50, at0;
	struct line_fit fit;

	if (!all) {
		all = json_array();
		json_object_set_new(rec->summary, "series", all);
	}
	if (!state->series || res->spec->series != session->plan->specs[state->first].series) {
		state->first = at;
		state->series = make_series_entry(res->spec);
		json_array_append_new(all, state->series);
	}
	fit = fit_series(session, state, at, &at0);
	json_object_del(state->series, "t0_note");
	json_object_update_new(state->series,
			       json_pack("{s:o, s:o, s:s*, s:o, s:o}", "overhead_s",
					 real_or_null(at0), "t0_s", real_or_null(fit.t0),
					 "t0_note", fit.t0 < 0 ? t0_below_zero : NULL,
					 "r_inf_Bps", real_or_null(fit.r_inf),
					 "n_half_B", real_or_null(fit.n_half)));
	keep_larger(state->series, "throughput_max_Bps",
		    of.deliveries * (double)res->spec->size * per_s);
	keep_larger(state->series, "frequency_max_Hz", per_s);
	if (s->row->cast == CAST_FARM && isfinite(find_bottleneck(session, res).credits))
		keep_larger(state->series, "credits_needed", find_bottleneck(session, res).credits);
	ROW_PUT(row, rec, { COL_T0, val_real(fit.t0) }, { COL_R_INF, val_real(fit.r_inf) },
		{ COL_N_HALF, val_real(fit.n_half) });
}

void atlas_fill(struct session *s, const struct result *res, struct row *row)
{
	const struct record *rec = &s->sink->record;
	struct atlas_state *state = s->own;

	if (s->sink->drafts.writing) {	/* drafts lack the columns that depend on other points */
		fill_times(rec, res, row);
		return;
	}
	state->medians[res->spec - s->plan->specs] = res->time.p50 / (double)res->loops;
	fill_times(rec, res, row);
	if (atlas_setup(res->spec)->row->cast < CAST_FARM)
		fill_slowdowns(s, res, row);
	else
		fill_roles(s, res, row);
	fill_series(s, res, row);
}

bool atlas_observe(const struct session *session, const struct result *res, struct observation *o)
{
	const struct setup *s = atlas_setup(res->spec);

	o->what = OBSERVED_ATLAS;
	o->benchmark = s->row->number;
	o->algorithm = s->algorithm;
	o->ranks = (uint64_t)s->size;
	o->sources = (uint64_t)s->farm.sources;
	o->stages = (uint64_t)s->farm.stages;
	o->destinations = (uint64_t)s->farm.destinations;
	o->credits = s->farm.credits;
	o->occupation = s->farm.occupation_s;
	o->measured = res->time.p50 / ((double)res->loops * iteration_content_of(res->spec).events);
	return true;
}

/* ---- lines under the table ---- */

/* Prints the name of a series, such as "1.6, 9 ranks, binomial, load none". */
static void print_series_name(struct session *session, const json_t *s)
{
	static const struct {
		const char *key, *before, *after;
	} parts[] = {
		{ "benchmark", "", "" }, { "ranks", "", " ranks" }, { "algorithm", "", "" },
		{ "peers", "peers ", "" }, { "window", "window ", "" }, { "load", "load ", "" },
		{ "sources", "sources ", "" }, { "stages", "stages ", "" },
		{ "destinations", "destinations ", "" },
	};
	const json_t *occupation = json_object_get(s, "occupation_s");
	char buf[32];

	for (size_t i = 0; i < LENGTH(parts); i++) {
		const json_t *v = json_object_get(s, parts[i].key);

		if (json_is_string(v))
			sink_add_footer(session, "%s%s%s%s", i ? ", " : "", parts[i].before,
				    json_string_value(v), parts[i].after);
		else if (v)
			sink_add_footer(session, ", %s%lld%s", parts[i].before,
				    (long long)json_integer_value(v), parts[i].after);
	}
	if (occupation)
		sink_add_footer(session, ", occupation %s",
			    format_si(buf, sizeof(buf), json_real_value(occupation), "s"));
}

/* ---- parameters of the network ---- */

/*
 * Finds the first series of a benchmark without load and with t0 > 0. Sets *t0 to the series' t0,
 * s. Sets *slope to 1/r_inf, s/B, or to 0 if the time does not grow with the size. Returns false if
 * there is no such series.
 */
static bool find_series_line(const json_t *all, const char *number, double *t0, double *slope)
{
	const json_t *s;
	size_t i;

	json_array_foreach(all, i, s) {
		if (strcmp(result_text(s, "benchmark"), number) != 0 ||
		    strcmp(result_text(s, "load"), "none") != 0)
			continue;
		*t0 = result_number(s, "t0_s");
		*slope = result_number(s, "r_inf_Bps") > 0 ? 1 / result_number(s, "r_inf_Bps") : 0;
		return *t0 > 0;
	}
	return false;
}

/*
 * Estimates LogGP's parameters from the lines of 1.1 and 1.4. Benchmark 1.1 measures the one-way
 * time A = o_s + L + o_r + k G. Benchmark 1.4 measures the interval max(o, g + k G) between
 * messages. Sets both o and g to the interval at k = 0, but limits o to half the one-way time. The
 * estimate of L is therefore a lower bound.
 */
static void estimate_network(const struct session *s, const json_t *all)
{
	const struct network *net = &s->settings->network;
	struct loggp p = { 0 };
	double one_way, interval, slope, byte;
	json_t *o;

	if (settings_virtual(s->settings) && net->known) {
		json_object_set_new(s->sink->record.summary, "loggp", parameters_object(&net->p));
		return;
	}
	if (!find_series_line(all, "1.1", &one_way, &slope) ||
	    !find_series_line(all, "1.4", &interval, &byte))
		return;
	p.o_s = p.o_r = fmin(interval, one_way / 2);
	p.L = one_way - p.o_s - p.o_r;
	p.g = interval;
	p.G = byte > 0 ? byte : slope > 0 ? slope : NAN;	/* NaN: G cannot be determined */
	o = parameters_object(&p);
	json_object_set_new(o, "method", json_string(
		"from the fitted lines of 1.1 and 1.4 without load; o and g are both set to the "
		"interval of 1.4, so o is an upper bound and L a lower bound"));
	json_object_set_new(s->sink->record.summary, "loggp", o);
}

/* Completes the summary and prints the lines under the table. Call it on rank 0. */
static void conclude_atlas(struct session *session)
{
	json_t *all = json_object_get(session->sink->record.summary, "series"), *s;
	static const struct {
		const char *before, *key, *unit;
	} values[] = {
		{ ": overhead ", "overhead_s", "s" }, { ", t0 ", "t0_s", "s" },
		{ ", r_inf ", "r_inf_Bps", "B/s" }, { ", n_1/2 ", "n_half_B", "B" },
		{ "; ", "throughput_max_Bps", "B/s" }, { ", ", "frequency_max_Hz", "Hz" },
	};
	const struct atlas_state *state = session->own;
	enum rate_unit rates = (enum rate_unit)session->settings->output.rate_unit;
	size_t i;
	char buf[32];

	if (!json_array_size(all))
		return;
	if (state->processor < UNDISTURBED)
		sink_add_footer(session,
			    "\nbusy: some rank and its computing task got only %.0f %% of a "
			    "processor; other work had the rest.\nThese slowdowns are not caused "
			    "by the rank and its task alone", 100 * state->processor);
	if (!session->plan->what->detail)
		estimate_network(session, all);
	sink_add_footer(session,
		    "\nfitted over the sizes of each series: overhead (time at 0 B), t = t0 + "
		    "n/r_inf, n_1/2; highest %s and Hz", rate_head(buf, sizeof(buf), "B/s", rates));
	json_array_foreach(all, i, s) {
		sink_add_footer(session, "\n  ");
		print_series_name(session, s);
		for (size_t k = 0; k < LENGTH(values); k++) {
			format_rate(buf, sizeof(buf), result_number(s, values[k].key),
				    values[k].unit, rates);
			sink_add_footer(session, "%s%s", values[k].before, buf);
		}
		if (json_object_get(s, "t0_note"))
			sink_add_footer(session, "; %s", result_text(s, "t0_note"));
		if (json_object_get(s, "credits_needed"))
			sink_add_footer(session,
					"; bound by %lld credits, about %.0f would suffice",
				    json_integer_value(json_object_get(s, "credits")),
				    json_number_value(json_object_get(s, "credits_needed")));
	}
}

void atlas_run(struct session *s)
{
	struct atlas_state state = { .processor = 1 };

	if (session_is_root(s)) {
		state.medians = calloc(s->plan->n, sizeof(*state.medians));
		state.unloaded = calloc(s->plan->n, sizeof(*state.unloaded));
		if (!state.medians || !state.unloaded)
			session_abort(s, error_report("no memory for results"));
		for (size_t i = 0; i < s->plan->n; i++)
			state.medians[i] = NAN;
	}
	s->own = &state;
	sweep_plan(s);
	if (session_is_root(s))
		conclude_atlas(s);
	for (size_t i = 0; i < s->plan->n && state.unloaded; i++)
		series_free(&state.unloaded[i].times);
	free(state.unloaded);
	free(state.medians);
}
