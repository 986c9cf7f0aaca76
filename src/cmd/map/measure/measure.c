/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "cmd/map/conclude.h"
#include "cmd/map/evidence.h"
#include "cmd/map/measure/machines.h"
#include "cmd/map/measure/play.h"
#include "cmd/map/measure/players.h"
#include "cmd/map/measure/schedule.h"
#include "cmd/map/measure/visit.h"
#include "cmd/map/read/classes.h"
#include "cmd/map/rows.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"
#include "result/out.h"
#include "show/map/summary.h"
#include "show/map/words.h"

/* smallest number of round trips in the only repetition if ranks share cores */
#define LATENCY_LEAST 256
#define VIRTUAL_RANKS 8

#define NSIZES 2		/* one size for round trips, one for bandwidths */
static const uint64_t sizes[NSIZES] = { 8, 1 << 20 };

/* The quantity of each spec of the plan. BIDIRECTIONAL is measured only with --bidirectional. */
static const enum quantity quantity_of[NQUANTITIES] = { LATENCY, BANDWIDTH, BIDIRECTIONAL };

/* ---- the plan ---- */

static int check_plan(const struct plan *p, const struct map_options *o)
{
	const struct settings *st = p->settings;
	uint64_t rounds = settings_given(st, "rounds"), visits = st->m.visits;

	if (p->sizes.n != NSIZES || !p->sizes.v[1])
		return error_usage("map needs two message sizes, for round trips and for "
				   "bandwidths: '--sizes 8,1M'");
	if (settings_given(st, "from-unit"))
		return error_usage("option '--from-unit' is only for a matrix of '--from'");
	if (rounds && (o->mode == MODE_ROUNDS || o->mode == MODE_SERIAL))
		return error_usage("option '--rounds' is only for '--mode quick'");
	if ((rounds || o->mode == MODE_QUICK) && settings_given(st, "visits"))
		return error_usage("option '--visits' has no meaning in mode quick, which has one "
				   "visit: set the number of pairs of a host with '--rounds'");
	if (visits != OPT_AUTO && visits > STUDY_VISITS)
		return error_usage("value '%llu' of '--visits' is out of range: 1 to %d",
				   (unsigned long long)visits, STUDY_VISITS);
	return map_check_options(o);
}

static int plan_rounds(struct plan *p)
{
	const struct map_options *o = p->settings->own;
	int cores = plan_cores(p), err = check_plan(p, o);
	bool virtual = settings_virtual(p->settings);
	struct groups *pairs;
	struct spec spec = { .window = 1, .batch = 1, .loops = virtual ? 1 : LOOPS_BY_PILOT,
			     .repetitions = SCHEDULE_REPETITIONS, .rank_times = RANKS_MEDIAN,
			     .check = CHECK_ONCE };

	if (!err)
		err = plan_ranks(p, virtual ? VIRTUAL_RANKS : cores < 2 ? 2 : (uint64_t)cores);
	if (err)
		return err;
	/* At this time no rank belongs to a pair. */
	pairs = plan_alloc(p, 1, sizeof(*pairs));
	if (!pairs)
		return ST_FAILED;
	*pairs = (struct groups){ .own = -1, .longest = 2 };
	spec.groups = pairs;
	for (size_t k = 0; k < NQUANTITIES && !err; k++) {
		spec.bidirectional = quantity_of[k] == BIDIRECTIONAL;
		if (spec.bidirectional && !o->bidirectional)
			continue;
		spec.pattern = quantity_of[k] == LATENCY ? &pattern_pingpong : &pattern_stream;
		spec.size = p->sizes.v[quantity_of[k] == LATENCY ? 0 : 1];
		spec.window = quantity_of[k] == LATENCY ? 1 : (uint32_t)o->window;
		spec.target_s = quantity_of[k] == LATENCY ? SCHEDULE_LATENCY_S : 0;
		spec.stamps = quantity_of[k] == LATENCY;
		err = plan_add(p, &spec);
	}
	return err;
}

/* ---- the schedule ---- */

/*
 * Prints the schedule. Before the ranks are connected, netbench does not know which ranks share a
 * host.
 */
static void print_schedule(const struct plan *p, FILE *to)
{
	struct map_schedule c = schedule_for(p->settings, (uint32_t)p->ranks);
	const char *if_so = p->settings->job->enter ? " (with each rank on a host of its own)" : "";
	char text[256];

	schedule_describe(p, &c, text, sizeof(text));
	fprintf(to, "%s%s\n", text, if_so);
}

/* ---- verdicts ---- */

/* Rank 0: finishes the study after the last visit. Returns ST_OK or an error (reported). */
static int finish_study(struct mapping *m)
{
	struct session *s = m->s;
	int err;

	m->finished = true;
	m->study.computed = s->ep->caps & CAP_VIRTUAL;
	m->study.emulated = s->ep->caps & CAP_EMULATED;
	m->study.shared_cores = s->sink->ranks_a_core > 1;
	err = study_finish(&m->study);
	return err ? err : classes_find(m->o, &m->study);
}

/* ---- the run ---- */

/*
 * Sets how many pairs are measured at once. If ranks share cores, only as many pairs as fit on the
 * cores measure round trips. With more pairs, round trips would include waiting for a core. The
 * shortest of many round trips has no such wait.
 */
static void limit_pairs_at_once(struct mapping *m)
{
	struct session *s = m->s;
	double share = session_is_root(s) ? s->sink->ranks_a_core : 1;
	size_t all = m->n, some;

	session_bcast(s, &share, sizeof(share));
	if (share > 1) {
		m->spec[LATENCY].rank_times = RANKS_LEAST;
		m->spec[LATENCY].least_loops = LATENCY_LEAST;
		m->spec[LATENCY].repetitions = 1;
	}
	some = (size_t)((double)s->job->size / fmax(share, 1) / 2);
	m->at_once[BANDWIDTH] = m->mode == MODE_SERIAL ? 1 : all;
	m->at_once[BIDIRECTIONAL] = m->at_once[BANDWIDTH];
	m->at_once[LATENCY] = m->mode == MODE_SERIAL || !some ? 1 : share > 1 ? some : all;
}

static void prepare_mapping(struct mapping *m)
{
	struct session *s = m->s;
	const struct settings *st = s->settings;
	for (size_t k = 0; k < s->plan->n; k++) {
		m->spec[quantity_of[k]] = s->plan->specs[k];
		m->spec[quantity_of[k]].groups = &m->pairs;
	}
	players_find(m);
	m->mode = schedule_mode(st, m->n);
	if (m->mode == MODE_QUICK && m->n < QUICK_HOSTS && session_is_root(s))
		session_abort(s, error_usage("'--mode quick' needs %d hosts or more, but there are "
					     "%u: use '--mode rounds'", QUICK_HOSTS, m->n));
	limit_pairs_at_once(m);
	m->visits = schedule_for(st, m->n).visits;
	pairs_make_room(m);
	m->all = (struct verdicts){ .s = &m->study,
				    .rules = { .limits = thresholds_for(m->o->min_effect / 100),
					       .seed = st->m.seed,
					       .no_alone = m->o->no_alone ||
							   m->mode == MODE_SERIAL } };
	m->before = machines_collect(s, m->own < m->n);
}

/*
 * Rank 0, before anything is measured: allocates the study, opens the journal and prints the
 * schedule.
 */
static void begin_study(struct mapping *m)
{
	const struct plan *p = m->s->plan;
	struct map_schedule c = schedule_for(p->settings, m->n);
	int err = journal_open(&m->journal, &p->settings->output);
	char text[256];

	if (!err && m->o->write_exclude)
		err = out_check_file(m->o->write_exclude,
				     out_advice(p->settings->output.overwrite));
	m->study.size_B = p->sizes.v[1];
	m->study.gone = calloc(m->n, sizeof(*m->study.gone));
	m->failed = calloc(m->n, sizeof(*m->failed));
	m->out_before = calloc(m->n, sizeof(*m->out_before));
	if (!m->study.gone || !m->failed || !m->out_before)
		err = error_report("no memory for all pairs of %u hosts", m->n);
	if (err)
		session_abort(m->s, err);
	if (m->o->window == 1)
		error_warn("with '--window 1' a bandwidth is that of a message and its reply, so a "
			   "slow round trip looks like a slow link");
	m->s->sink->count.planned = (size_t)c.visits * c.rounds;
	schedule_describe(p, &c, text, sizeof(text));
	error_note("%s", text);
}

static void free_mapping(struct mapping *m)
{
	judge_close(&m->judging);
	verdicts_free(&m->all);
	study_free(&m->study);
	json_decref(m->before);
	pairs_free_room(m);
	free(m->rank);
	free(m->out);
	free(m->failed);
	free(m->out_before);
	free(m->work);
	free(m);
}

static void run_map(struct session *s)
{
	struct mapping *m = calloc(1, sizeof(*m));
	bool goes_on = true;
	struct rng rng;
	json_t *after;

	if (!m)
		session_abort(s, error_report("no memory for all pairs"));
	m->s = s;
	m->o = s->settings->own;
	prepare_mapping(m);
	if (session_is_root(s)) {
		s->own = m;
		begin_study(m);
	}
	rng_seed(&rng, s->settings->m.seed);
	for (uint32_t v = 0; v < m->visits && goes_on; v++)
		goes_on = map_measure_visit(m, v, &rng);
	if (goes_on && !m->o->no_retest) {
		int err = session_is_root(s) ? finish_study(m) : ST_OK;

		if (err)
			session_abort(s, err);
		measure_requested_rounds(m);
	}
	after = machines_collect(s, m->own < m->n);
	m->study.machines = machines_compare(m->before, after, &m->study, m->rank);
	json_decref(after);
	if (!session_is_root(s))
		free_mapping(m);
}

/* ---- results ---- */

/*
 * Makes the verdicts. A run that ended early is judged by its first visits. Returns ST_OK or an
 * error (reported).
 */
static int judge_visits(struct mapping *m)
{
	int err = m->finished ? ST_OK : finish_study(m);

	if (!err && !m->judged) {
		judge_close(&m->judging);
		verdicts_free(&m->all);
		m->all.again = false;
		judge_open(&m->judging, &m->all);
		err = judge_close(&m->judging);
	}
	return err ? err : evidence_find(&m->all);
}

static int conclude_map(struct session *s)
{
	static const char *const modes[] = { "auto", "rounds", "serial", "quick" };
	struct mapping *m = s->own;
	struct pair_rows to = { &s->sink->record, session_put_row, s };
	json_t *summary = s->sink->record.summary;
	char *text;
	int err;

	if (!m)
		return ST_OK;
	err = judge_visits(m);
	if (!err)
		err = map_write_rows(&m->study, &s->settings->output, &to);
	if (!err && !s->sink->write_failed)
		journal_close(&m->journal);
	if (!err) {
		summary_put(summary, &m->all);
		json_object_set_new(summary, "mode", json_string(modes[m->mode]));
		json_object_set_new(summary, "visits_whole", json_integer(m->done));
		json_object_set_new(summary, "retest", json_boolean(m->all.again));
		text = words_report(&m->all, s->sink->title,
				 (enum rate_unit)s->settings->output.rate_unit);
		sink_add_footer(s, "%s", text ? text : "");
		free(text);
		err = map_conclude(m->o, &s->settings->output, &m->all);
	}
	free_mapping(m);
	s->own = NULL;
	return err;
}

/* The name that the title shows, and the capabilities that every pair needs. */
static const struct pattern all_pairs = { .name = "all pairs", .needs = CAP_PAIR | CAP_WINDOW };

const struct benchmark map_pairs = {
	.definition = "map.v1",
	.pattern = &all_pairs,
	.columns = { .id = map_columns, .n = MAP_NCOLUMNS, .words = true,
		     .brief = MAP_DIGITS },
	.sizes = { .max_log2 = 20, .list = sizes, .n = NSIZES },
	.min_ranks = 2,
	.traits = OUTLIVES_LOSS | OWN_VISITS,
	.plan = plan_rounds,
	.foretell = print_schedule,
	.run = run_map,
	.conclude = conclude_map,
};
