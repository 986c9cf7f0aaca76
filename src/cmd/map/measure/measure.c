/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map measures: in each round of a tournament every host has another partner, and all pairs of a
 * round play at the same time: a ping-pong, then a stream one way, then one the other way. Rank 0
 * judges, and has suspects measured again, which all ranks take part in.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sort.h"
#include "cmd/map/judge/tournament.h"
#include "cmd/map/measure/play.h"
#include "cmd/map/output/evidence.h"
#include "cmd/map/output/machines.h"
#include "measure/plan/patterns.h"
#include "measure/sink/sink.h"
#include "measure/sweep.h"

#define REPETITIONS 5
#define LATENCY_S 1e-3		/* of a repetition: so short that other work spares most of them */
#define LATENCY_LEAST 256	/* round trips of the only one where ranks share cores */
#define HOSTS_QUICK 256		/* more are measured in random pairs */
#define HOSTS_FEW 8		/* up to so many are visited more often */
#define VISITS_FEW 5
#define VISITS_MANY 3
#define VIRTUAL_RANKS 8

#define NSIZES 2		/* of round trips and of bandwidths */
static const uint64_t sizes[NSIZES] = { 8, 1 << 20 };

/* Of the plan's specs, in their order; the last one with --bidirectional. */
static const enum quantity quantity_of[NQUANTITIES] = { LATENCY, BANDWIDTH, BIDIRECTIONAL };

/* ---- the plan ---- */

static int check_plan(const struct plan *p, const struct map_options *o)
{
	const struct settings *st = p->settings;
	uint64_t rounds = settings_given(st, "rounds"), visits = st->m.visits;

	if (p->sizes.n != NSIZES || !p->sizes.v[1])
		return error_usage("map takes two message sizes, of round trips and of bandwidths: "
				   "'--sizes 8,1M'");
	if (rounds && (o->mode == MODE_ROUNDS || o->mode == MODE_SERIAL))
		return error_usage("option '--rounds' is for '--mode quick'");
	if ((rounds || o->mode == MODE_QUICK) && settings_given(st, "visits"))
		return error_usage("option '--visits' has no meaning in mode quick, which is one "
				   "visit: '--rounds' says how many pairs of a host it has");
	if (visits > STUDY_VISITS)
		return error_usage("value '%llu' of '--visits' is out of range: 1 to %d",
				   (unsigned long long)visits, STUDY_VISITS);
	return map_check_options(o);
}

/* Lists of two, of which no rank is in any yet. */
static struct groups *make_groups(struct plan *p, size_t ranks)
{
	struct groups *g = plan_alloc(p, 1, sizeof(*g));
	int *at = plan_alloc(p, ranks, sizeof(*at));

	for (size_t r = 0; at && r < ranks; r++)
		at[r] = -1;
	if (g)
		*g = (struct groups){ .at = at, .longest = 2 };
	return at ? g : NULL;
}

static int plan(struct plan *p)
{
	int cores = plan_cores(p), err = check_plan(p, p->settings->own);
	bool virtual = settings_virtual(p->settings);
	bool both = ((const struct map_options *)p->settings->own)->bidirectional;
	struct spec spec = { .window = 1, .batch = 1, .loops = virtual ? 1 : LOOPS_BY_PILOT,
			     .repetitions = REPETITIONS, .rank_times = RANKS_MEDIAN,
			     .check = CHECK_ONCE };

	err = err ? err : plan_ranks(p, virtual ? VIRTUAL_RANKS : cores < 2 ? 2 : (uint64_t)cores);
	if (err)
		return err;
	spec.groups = make_groups(p, (size_t)p->ranks);
	if (!spec.groups)
		return ST_FAILED;
	for (size_t k = 0; k < NQUANTITIES && !err; k++) {
		spec.bidirectional = quantity_of[k] == BIDIRECTIONAL;
		if (spec.bidirectional && !both)
			continue;
		spec.pattern = quantity_of[k] == LATENCY ? &pattern_pingpong : &pattern_stream;
		spec.size = p->sizes.v[quantity_of[k] == LATENCY ? 0 : 1];
		spec.target_s = quantity_of[k] == LATENCY ? LATENCY_S : 0;
		spec.stamps = quantity_of[k] == LATENCY;
		err = plan_add(p, &spec);
	}
	return err;
}

/* ---- the schedule ---- */

/* How often n hosts meet, and in how many rounds. */
struct schedule {
	uint32_t n, visits, rounds;	/* of a visit */
	enum map_mode mode;
};

static enum map_mode choose_mode(const struct settings *st, uint32_t n)
{
	const struct map_options *o = st->own;

	if (o->mode != MODE_AUTO)
		return (enum map_mode)o->mode;
	return n > HOSTS_QUICK || settings_given(st, "rounds") ? MODE_QUICK : MODE_ROUNDS;
}

static struct schedule schedule_for(const struct settings *st, uint32_t n)
{
	struct schedule c = { .n = n, .mode = choose_mode(st, n) };

	if (c.mode == MODE_QUICK) {
		c.visits = 1;
		c.rounds = (uint32_t)((const struct map_options *)st->own)->rounds;
		return c;
	}
	c.visits = settings_given(st, "visits") ? (uint32_t)st->m.visits
		   : n <= HOSTS_FEW		? VISITS_FEW
						: VISITS_MANY;
	c.rounds = tournament_rounds(n);
	return c;
}

/* How long all rounds take at least: what a repetition's loops are found for, and no other cost. */
static double least_time(const struct plan *p, const struct schedule *c)
{
	double repetitions = REPETITIONS + (double)p->warmup;
	double round = repetitions * (LATENCY_S + 2 * ROUND_TARGET_S);
	double turns = c->mode == MODE_SERIAL ? floor(c->n / 2.0) : 1;

	return c->visits * c->rounds * turns * round;
}

/* "3 visits of 11 rounds with up to 6 pairs at once: at least 3 s, and what suspects take". */
static void word_schedule(const struct plan *p, const struct schedule *c, char *text, size_t len)
{
	int n = snprintf(text, len, "%u visit%s of %u round%s with up to %u pair%s%s", c->visits,
			 c->visits == 1 ? "" : "s", c->rounds, c->rounds == 1 ? "" : "s", c->n / 2,
			 c->n / 2 == 1 ? "" : "s",
			 c->mode == MODE_SERIAL ? ", one by one" : " at once");
	double least = least_time(p, c);

	if (!settings_virtual(p->settings))
		snprintf(text + n, len - (size_t)n, ": at least %.*f s, and what suspects take",
			 least < 10, least);
}

/* Which ranks share a host is known once they have met. */
static void foretell(const struct plan *p, FILE *to)
{
	struct schedule c = schedule_for(p->settings, (uint32_t)p->ranks);
	const char *if_so = p->settings->job->enter ? " (with each rank on a host of its own)" : "";
	char text[160];

	word_schedule(p, &c, text, sizeof(text));
	fprintf(to, "%s%s\n", text, if_so);
}

/* ---- again ---- */

/* What rank 0 has the others do, once all pairs have been visited. */
struct order {
	uint32_t go_on, n, quantity;
};

/* Rank 0: hosts that are out since they are measured again: nobody meets them, so none answers. */
static void keep_lost(struct mapping *m, const bool *before)
{
	struct measurement o = { .visit = m->study.nvisits - 1, .round = STUDY_ROUNDS };

	for (o.sender = 0; o.sender < m->n; o.sender++)
		for (o.receiver = 0; o.receiver < m->n; o.receiver++)
			if (o.sender != o.receiver && m->out[o.sender] && !before[o.sender] &&
			    !silent_keep(&m->study, &o))
				session_abort(m->s, error_report("no memory for verdicts"));
	silent_sort(&m->study);
}

static void measure_order(struct mapping *m, const struct order *order)
{
	bool *before = malloc(m->n);

	if (!before)
		session_abort(m->s, error_report("no memory for verdicts"));
	memcpy(before, m->out, m->n);
	m->s->part.lost = false;
	play_round(m, (enum quantity)order->quantity, m->at, order->n, order->go_on > 1);
	play_agree(m, m->at, order->n);
	if (session_is_root(m->s) && memcmp(before, m->out, m->n) != 0)
		keep_lost(m, before);
	free(before);
}

static bool is_out(const struct mapping *m, const struct encounter *at)
{
	return m->out[at->i] || m->out[at->j];
}

/* Rank 0: for struct retest. A run that is over is judged without. */
static int measure_again(void *arg, struct encounter *meetings, size_t n)
{
	const struct orders *o = arg;
	struct mapping *m = o->m;
	struct session *s = m->s;
	struct order order = { 1 + (s->sink->count.done & 1), 0, o->quantity };

	if (session_is_over(s))
		return ST_FAILED;
	for (size_t k = 0; k < n; k++) {
		meetings[k].ij = meetings[k].ji = NAN;
		if (!is_out(m, &meetings[k]))
			m->at[order.n++] = meetings[k];
	}
	s->sink->count.planned++;
	session_bcast(s, &order, sizeof(order));
	bcast_long(s, m->at, order.n * sizeof(*m->at));
	measure_order(m, &order);
	if (session_is_over(s))
		return ST_FAILED;
	s->sink->count.done++;
	for (size_t k = 0, to = 0; k < order.n; k++, to++) {
		while (meetings[to].i != m->at[k].i || meetings[to].j != m->at[k].j)
			to++;
		meetings[to] = m->at[k];
	}
	return ST_OK;
}

/* Of a round's meetings those that this rank needs; returns how many. */
static size_t keep_own(struct mapping *m, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		if (m->at[k].i != m->own && m->at[k].j != m->own)
			continue;
		m->at[0] = m->at[k];
		return 1;
	}
	return 0;
}

static void measure_own(struct mapping *m, const struct order *order)
{
	m->s->part.lost = false;
	play_both(m, (enum quantity)order->quantity, m->at, keep_own(m, order->n),
		  order->go_on > 1);
	play_agree(m, m->at, 0);
}

/* The other ranks. */
static void follow_orders(struct mapping *m)
{
	struct order order;

	while (!session_is_over(m->s)) {
		session_bcast(m->s, &order, sizeof(order));
		if (!order.go_on)
			return;
		bcast_long(m->s, m->at, order.n * sizeof(*m->at));
		if (visit_needs_all(m) || !order.n)
			measure_order(m, &order);
		else
			measure_own(m, &order);
	}
}

/* ---- verdicts ---- */

/* Rank 0: once no visit will follow. */
static int finish_study(struct mapping *m)
{
	struct session *s = m->s;
	int err;

	m->finished = true;
	m->study.computed = s->ep->caps & CAP_VIRTUAL;
	m->study.emulated = s->ep->caps & CAP_EMULATED;
	m->study.shared_cores = s->sink->ranks_a_core > 1;
	err = study_finish(&m->study);
	return err ? err : map_classes(m->o, &m->study);
}

static void judge_again(struct mapping *m)
{
	struct session *s = m->s;
	struct order end = { .go_on = 0 };
	int err = finish_study(m);

	for (int q = 0; q < NQUANTITIES; q++) {
		m->orders[q] = (struct orders){ m, (enum quantity)q };
		m->again[q] = (struct retest){ measure_again, &m->orders[q] };
	}
	m->all.again = m->again;
	err = err ? err : map_judge(&m->all);
	if (err && !session_is_over(s))
		session_abort(s, err);
	m->judged = !err;
	if (!session_is_over(s))
		session_bcast(s, &end, sizeof(end));
}

/* ---- the run ---- */

/* True if this rank plays. */
static bool is_player(const struct mapping *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (m->rank[i] == m->s->job->rank)
			return true;
	return false;
}

static void look_after(struct mapping *m)
{
	json_t *after = machines_look(m->s, is_player(m));

	m->study.machines = machines_compare(m->before, after, &m->study, m->rank);
	json_decref(after);
}

/*
 * How many pairs play at once. Where ranks share cores, round trips of more pairs than there are
 * cores for would measure how ranks wait for each other, and the least of them are those in which
 * neither rank has waited for a core.
 */
static void make_way(struct mapping *m)
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

static void prepare(struct mapping *m)
{
	struct session *s = m->s;
	const struct settings *st = s->settings;
	size_t size = (size_t)s->job->size;
	int *room = calloc(size, 4 * sizeof(*room));

	m->rank = calloc(size, sizeof(*m->rank));
	/* half as many pairs, of each quantity */
	m->at = calloc(NQUANTITIES * (size / 2 + 1), sizeof(*m->at));
	m->out = calloc(size, sizeof(*m->out));
	m->failed = calloc(size, sizeof(*m->failed));
	if (!room || !m->rank || !m->at || !m->out || !m->failed)
		session_abort(s, error_report("no memory for %zu ranks", size));
	m->pairs = (struct groups){ .order = room, .first = room + size, .len = room + 2 * size,
				    .at = room + 3 * size, .longest = 2 };
	for (size_t k = 0; k < s->plan->n; k++) {
		m->spec[quantity_of[k]] = s->plan->specs[k];
		m->spec[quantity_of[k]].groups = &m->pairs;
	}
	for (size_t r = 0; r < size; r++)
		m->pairs.at[r] = -1;
	players_find(m);
	while (m->own < m->n && m->rank[m->own] != s->job->rank)
		m->own++;
	m->mode = choose_mode(st, m->n);
	if (m->mode == MODE_QUICK && m->n < QUICK_HOSTS && session_is_root(s))
		session_abort(s, error_usage("'--mode quick' needs %d hosts or more, and here are "
					     "%u: use '--mode rounds'", QUICK_HOSTS, m->n));
	make_way(m);
	m->visits = schedule_for(st, m->n).visits;
	m->rules = (struct rules){ .limits = thresholds_of(m->o->min_effect / 100),
				   .seed = st->m.seed };
	m->all = (struct verdicts){ .s = &m->study, .rules = &m->rules };
	m->before = machines_look(s, is_player(m));
}

/* Rank 0: before anything is measured. */
static void begin_study(struct mapping *m)
{
	int err = journal_open(&m->journal, &m->s->settings->output);

	if (!err && m->o->write_exclude)
		err = out_check_file(m->o->write_exclude,
				     out_instead(m->s->settings->output.overwrite));
	m->study.size_B = m->s->plan->sizes.v[1];
	m->written = calloc((size_t)m->n * m->n, sizeof(*m->written));
	m->study.gone = calloc(m->n, sizeof(*m->study.gone));
	if (!m->written || !m->study.gone)
		err = error_report("no memory for all pairs of %u hosts", m->n);
	if (err)
		session_abort(m->s, err);
}

static void begin_rounds(struct mapping *m)
{
	const struct plan *p = m->s->plan;
	struct schedule c = schedule_for(p->settings, m->n);
	char text[160];

	m->s->sink->count.planned = (size_t)c.visits * c.rounds;
	word_schedule(p, &c, text, sizeof(text));
	error_note("%s", text);
}

static void forget(struct mapping *m)
{
	map_free(&m->all);
	study_free(&m->study);
	json_decref(m->before);
	free(m->pairs.order);
	free(m->rank);
	free(m->at);
	free(m->out);
	free(m->failed);
	free(m->written);
	free(m->work);
	free(m);
}

static void run(struct session *s)
{
	struct mapping *m = calloc(1, sizeof(*m));
	bool goes_on = true;
	struct rng rng;

	if (!m)
		session_abort(s, error_report("no memory for all pairs"));
	m->s = s;
	m->o = s->settings->own;
	prepare(m);
	if (session_is_root(s)) {
		s->own = m;
		begin_study(m);
		begin_rounds(m);
	}
	rng_seed(&rng, s->settings->m.seed);
	for (uint32_t v = 0; v < m->visits && goes_on; v++)
		goes_on = visit_all(m, v, &rng);
	if (goes_on && !m->o->no_retest && session_is_root(s))
		judge_again(m);
	else if (goes_on && !m->o->no_retest)
		follow_orders(m);
	look_after(m);
	if (!session_is_root(s))
		forget(m);
}

/* ---- results ---- */

static void put_summary(struct mapping *m)
{
	static const char *const modes[] = { "auto", "rounds", "serial", "quick" };
	struct session *s = m->s;
	json_t *summary = s->sink->record.summary;
	char *text = words_all(&m->all, s->sink->title,
			       (enum rate_unit)s->settings->output.rate_unit);

	map_summary(summary, &m->all);
	json_object_set_new(summary, "mode", json_string(modes[m->mode]));
	json_object_set_new(summary, "visits_whole", json_integer(m->done));
	json_object_set_new(summary, "retest", json_boolean(m->all.again));
	sink_footer(s, "%s", text ? text : "");
	free(text);
}

/* A run that was cut short is judged by what is there, which nothing can be measured beside. */
static int conclude(struct session *s)
{
	struct mapping *m = s->own;
	struct pair_rows to = { &s->sink->record, visit_put_row, s };
	int err = ST_OK;

	if (!m)
		return ST_OK;
	if (!m->finished)
		err = finish_study(m);
	if (!err && !m->judged) {
		map_free(&m->all);
		m->all.again = NULL;
		err = map_judge(&m->all);
	}
	err = err ? err : evidence_find(&m->all);
	err = err ? err : map_rows(&m->study, &s->settings->output, &to, m->written);
	if (!err && !s->sink->write_failed)
		journal_close(&m->journal);
	if (!err)
		put_summary(m);
	err = err ? err : map_conclude(m->o, &s->settings->output, &m->all);
	forget(m);
	s->own = NULL;
	return err;
}

/* What the title calls it, and what it needs. */
static const struct pattern all_pairs = { .name = "all pairs", .needs = CAP_PAIR | CAP_WINDOW };

const struct benchmark map_pairs = {
	.definition = "map.v1",
	.pattern = &all_pairs,
	.columns = { .id = map_columns, .n = MAP_NCOLUMNS, .words = true,
		     .brief = MAP_DIGITS },
	.sizes = { .max_log2 = 20, .list = sizes, .n = NSIZES },
	.min_ranks = 2,
	.traits = OUTLIVES_LOSS | OWN_VISITS,
	.plan = plan,
	.foretell = foretell,
	.run = run,
	.conclude = conclude,
};
