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
#include "cmd/map/evidence.h"
#include "cmd/map/machines.h"
#include "cmd/map/journal.h"
#include "cmd/map/measure.h"
#include "measure/sink.h"
#include "measure/sweep.h"

#define REPETITIONS 5
#define LATENCY_S 1e-3		/* of a repetition: so short that other work spares most of them */
#define LATENCY_LEAST 256	/* round trips of the only one where ranks share cores */
#define HOSTS_QUICK 256		/* more are measured in random pairs */
#define HOSTS_FEW 8		/* up to so many are visited more often */
#define VISITS_FEW 5
#define VISITS_MANY 3
#define VIRTUAL_RANKS 8
#define SILENT_PAIRS 3		/* in a row that lost a host, before nobody meets it any more */

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
			     .repetitions = REPETITIONS, .apart = true, .lean = true };

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

/* ---- what is measured ---- */

/* Measuring again one quantity: the hook of its judge. */
struct orders {
	struct mapping *m;
	enum quantity quantity;
};

struct mapping {
	struct session *s;
	const struct map_options *o;
	uint32_t n;			/* hosts, or ranks: in the order of their names */
	int *rank;			/* of each */
	enum map_mode mode;
	uint32_t visits, done;		/* to be made; that are whole */
	/* hosts that stopped answering: nobody meets them; the same on all ranks */
	bool *out;
	struct spec spec[NQUANTITIES];
	struct groups pairs;		/* of the round */
	size_t at_once[NQUANTITIES];	/* pairs of a round that play at the same time */
	struct encounter *at;		/* room for n */
	double *work;
	/* rank 0 */
	uint32_t *failed;		/* pairs of a host in a row that were lost */
	json_t *before;			/* machines, before the first visit */
	struct study study;
	struct journal journal;
	bool *written;			/* rows of ordered pairs */
	bool finished;			/* the study is */
	struct rules rules;
	struct verdicts all;
	bool judged;
	struct orders orders[NQUANTITIES];
	struct retest again[NQUANTITIES];
};

/* What rank 0 has the others do, once all pairs have been visited. */
struct order {
	uint32_t go_on, n, quantity;
};

static void bcast_long(struct session *s, void *buf, size_t len)
{
	for (size_t done = 0; done < len; done += JOB_GATHER_MAX) {
		size_t part = len - done < JOB_GATHER_MAX ? len - done : JOB_GATHER_MAX;

		session_bcast(s, (char *)buf + done, part);
	}
}

/* ---- hosts ---- */

struct host_name {
	char text[64];
};

/* A rank that plays, and what it is called. */
struct player {
	char name[80];
	int rank;
};

static int by_name(const void *a, const void *b)
{
	const struct player *x = a, *y = b;

	return strverscmp(x->name, y->name);
}

/* Rank 0: the first rank of each host, or all; returns how many. */
static uint32_t choose_players(const struct mapping *m, const struct host_name *name,
			       struct player *to)
{
	int size = m->s->job->size, *first = calloc((size_t)size, sizeof(*first));
	int hosts = 0;
	bool each = m->o->unit == UNIT_RANK;
	uint32_t n = 0;

	if (!first)
		session_abort(m->s, error_report("no memory for %d ranks", size));
	for (int r = 0; r < size; r++) {
		while (strcmp(name[first[r]].text, name[r].text) != 0)
			first[r]++;
		hosts += first[r] == r;
	}
	each |= m->o->unit == UNIT_AUTO && hosts == 1;
	for (int r = 0; r < size; r++) {
		int k = 0;		/* of its host */

		if (!name[r].text[0] || (!each && first[r] != r))
			continue;	/* lost before it could say who it is, or another's */
		for (int before = first[r]; before < r; before++)
			k += first[before] == first[r];
		if (!each)
			snprintf(to[n].name, sizeof(to[n].name), "%s", name[r].text);
		else if (hosts == 1)
			snprintf(to[n].name, sizeof(to[n].name), "rank%d", r);
		else
			snprintf(to[n].name, sizeof(to[n].name), "%s:%d", name[r].text, k);
		to[n++].rank = r;
	}
	free(first);
	return n;
}

/* Rank 0: puts the hosts, in the order of their names, into the study. */
static void find_hosts(struct mapping *m, const struct host_name *name)
{
	struct session *s = m->s;
	int size = s->job->size;
	struct player *to = calloc((size_t)size, sizeof(*to));
	uint32_t host;

	if (!to)
		session_abort(s, error_report("no memory for %d ranks", size));
	for (int r = 0; r < size && !name; r++) {
		snprintf(to[r].name, sizeof(to[r].name), "n%d", r);
		to[r].rank = r;
	}
	m->n = name ? choose_players(m, name, to) : (uint32_t)size;
	if (m->n < 2)
		session_abort(s, error_usage("all ranks are on one host, and '--unit host' "
					     "measures between hosts: use '--unit rank'"));
	if (m->n > STUDY_HOSTS)
		session_abort(s, error_usage("%u are more than map judges: %d", m->n, STUDY_HOSTS));
	qsort(to, m->n, sizeof(*to), by_name);
	for (uint32_t i = 0; i < m->n; i++) {
		m->rank[i] = to[i].rank;
		if (!study_host(&m->study, to[i].name, &host))
			session_abort(s, error_report("no memory for all pairs of %u hosts", m->n));
	}
	free(to);
}

/*
 * Rank 0: a file of classes that is wrong is found before anything is measured; rows that are
 * written meanwhile name them.
 */
static void check_classes(struct mapping *m)
{
	struct study s = { .n = 0 }, *to = &m->study;
	uint32_t host;
	bool there = true;
	int err;

	for (uint32_t i = 0; i < m->n && there; i++)
		there = study_host(&s, to->name[i], &host);
	err = there ? study_finish(&s) : error_report("no memory for %u hosts", m->n);
	err = err ? err : map_classes(m->o, &s);
	if (err)
		session_abort(m->s, err);
	to->class = s.class;
	to->class_name = s.class_name;
	to->nclasses = s.nclasses;
	to->leaf = s.leaf;
	to->machine = s.machine;
	s.class = s.leaf = s.machine = NULL;
	s.class_name = NULL;
	s.nclasses = 0;
	study_free(&s);
}

static void find_players(struct mapping *m)
{
	struct session *s = m->s;
	struct host_name mine = { "" };
	const struct host_name *all = NULL;

	gethostname(mine.text, sizeof(mine.text) - 1);
	if (!(s->ep->caps & CAP_VIRTUAL))
		all = session_gather(s, &mine, sizeof(mine));
	if (session_is_root(s)) {
		find_hosts(m, all);
		if (m->o->classes || m->o->topology)
			check_classes(m);
	}
	session_bcast(s, &m->n, sizeof(m->n));
	bcast_long(s, m->rank, m->n * sizeof(*m->rank));
}

/* ---- pairs that play ---- */

/* The groups of some meetings; turned: from j to i. */
static void form_pairs(struct mapping *m, const struct encounter *at, size_t n, bool turned)
{
	struct groups *g = &m->pairs;

	for (int r = 0; r < m->s->job->size; r++)
		g->at[r] = -1;
	for (size_t k = 0; k < n; k++) {
		int place = 2 * (int)k, i = m->rank[at[k].i], j = m->rank[at[k].j];

		g->order[place] = turned ? j : i;
		g->order[place + 1] = turned ? i : j;
		for (int p = place; p < place + 2; p++) {
			g->at[g->order[p]] = p;
			g->first[p] = place;
			g->len[p] = 2;
		}
	}
}

/*
 * ln(bandwidth) or -ln(half round trip) of a pair by the rank that is timed, both ways at once by
 * the later of both. NaN: no times, or either has lost the other.
 */
static float value_of(const struct mapping *m, const struct result *res, enum quantity q,
		      const int rank[2])
{
	size_t size = (size_t)m->s->job->size, n = res->apart.n / size;
	double t, loops = (double)res->loops;

	for (size_t k = 0; k < n; k++) {
		const double *at = res->apart.s + k * size;

		if (!isfinite(at[rank[0]]) || !isfinite(at[rank[1]]))
			return NAN;
		m->work[k] = at[rank[0]];
		if (q == BIDIRECTIONAL)
			m->work[k] = fmax(m->work[k], at[rank[1]]);
	}
	t = m->spec[q].least ? select_double(m->work, n, 0) : middle(m->work, n);
	if (!(t > 0))
		return NAN;
	if (q == LATENCY)
		return (float)-log(t / (2 * loops));
	return (float)log((double)res->spec->size * loops * (q == BIDIRECTIONAL ? 2 : 1) / t);
}

/* Rank 0: hosts whose ranks the job has lost. */
static void note_gone(struct mapping *m, const struct result *res, const struct encounter *at,
		      size_t n)
{
	const double *last = res->apart.s + (res->apart.n - (size_t)m->s->job->size);

	for (size_t k = 0; k < n && res->apart.n; k++) {
		if (isinf(last[m->rank[at[k].i]]))
			m->failed[at[k].i] = SILENT_PAIRS;
		if (isinf(last[m->rank[at[k].j]]))
			m->failed[at[k].j] = SILENT_PAIRS;
	}
}

/* Meetings at the same time: fills ij, or turned ji, on rank 0. False if the run is over. */
static bool play(struct mapping *m, enum quantity q, struct encounter *at, size_t n, bool turned)
{
	struct session *s = m->s;
	struct spec *spec = &m->spec[q];
	struct result res;

	form_pairs(m, at, n, turned);
	if (spec->loops == LOOPS_BY_PILOT)
		spec->loops = measure_pilot(s, spec);	/* one for all pairs */
	if (session_is_over(s))
		return false;
	measure(s, spec, &res);
	if (session_is_root(s)) {
		s->sink->errors += res.errors;
		m->work = realloc(m->work, (res.times.n + 1) * sizeof(*m->work));
		if (!m->work)
			session_abort(s, error_report("no memory for samples"));
		note_gone(m, &res, at, n);
	}
	for (size_t k = 0; k < n && session_is_root(s) && !session_is_over(s); k++) {
		float y = value_of(m, &res, q, m->pairs.order + 2 * k);

		if (turned || q != BANDWIDTH)
			at[k].ji = y;
		if (!turned || q != BANDWIDTH)
			at[k].ij = y;
	}
	result_free(&res);
	return !session_is_over(s);
}

/* Both directions of some meetings, in either order; there is one of what is symmetric. */
static bool play_both(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		      bool back_first)
{
	return play(m, q, at, n, q == BANDWIDTH && back_first) &&
	       (q != BANDWIDTH || play(m, q, at, n, !back_first));
}

/* All meetings of a round, at once or some at a time. False if the run is over. */
static bool play_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first)
{
	for (size_t k = 0, most = m->at_once[q]; k < n; k += most) {
		m->s->part.lost &= most >= n;	/* else this is another peer */
		if (!play_both(m, q, at + k, n - k < most ? n - k : most, back_first))
			return false;
	}
	return true;
}

/* ---- hosts that stop answering ---- */

/*
 * Rank 0: a host is out if the job has lost it, or once some pairs in a row have lost it. A pair
 * that loses a host which is out says nothing about the other.
 */
static void judge_answers(struct mapping *m, const struct encounter *at, size_t n)
{
	uint32_t *failed = m->failed;

	for (size_t k = 0; k < n; k++) {
		uint32_t i = at[k].i, j = at[k].j;
		bool out = failed[i] >= SILENT_PAIRS || failed[j] >= SILENT_PAIRS;
		bool lost = isnan(at[k].ij) && isnan(at[k].ji);

		if (!out)
			failed[i] = lost ? failed[i] + 1 : 0;
		if (!out)
			failed[j] = lost ? failed[j] + 1 : 0;
		m->out[i] |= failed[i] >= SILENT_PAIRS;
		m->out[j] |= failed[j] >= SILENT_PAIRS;
	}
}

/* Tells all who is out from now on. */
static void agree_who_is_out(struct mapping *m, const struct encounter *at, size_t n)
{
	if (!(m->s->ep->caps & CAP_LOSS) || session_is_over(m->s))
		return;
	if (session_is_root(m->s))
		judge_answers(m, at, n);
	bcast_long(m->s, m->out, m->n * sizeof(*m->out));
}

/* ---- visits ---- */

/* Of random pairs that meet twice the first time counts: its row is written. */
static void keep(struct mapping *m, const struct measurement *o)
{
	const struct study *s = &m->study;

	for (int q = 0; q < NQUANTITIES && m->mode == MODE_QUICK; q++)
		if (!isnan(study_value(s, (enum quantity)q, o->visit, o->sender, o->receiver)))
			return;
	if (study_put(&m->study, o) == PUT_NO_MEMORY)
		session_abort(m->s, error_report("no memory for all pairs of %u hosts", m->n));
	journal_add(&m->journal, s, o);
}

/* Rank 0: a pair of which a host is out does not answer, without being asked. */
static void keep_failure(struct mapping *m, uint32_t visit, uint32_t round, uint32_t i, uint32_t j)
{
	struct measurement o = { .visit = visit, .round = round, .sender = i, .receiver = j,
				 .value = { NAN, NAN, NAN } };

	keep(m, &o);
	o.sender = j;
	o.receiver = i;
	keep(m, &o);
}

/* Rank 0: what a round has yielded. */
static void keep_round(struct mapping *m, uint32_t visit, uint32_t round,
		       const struct encounter *y[NQUANTITIES], size_t n)
{
	struct measurement o = { .visit = visit,
				 .round = m->mode == MODE_SERIAL ? STUDY_NO_ROUND : round };

	for (size_t k = 0; k < n; k++) {
		const struct encounter *rate = &y[BANDWIDTH][k], *time = &y[LATENCY][k];
		float both = y[BIDIRECTIONAL][k].ij;

		for (int back = 0; back < 2; back++) {
			o.sender = back ? rate->j : rate->i;
			o.receiver = back ? rate->i : rate->j;
			o.value[BANDWIDTH] = study_unit(BANDWIDTH, back ? rate->ji : rate->ij);
			o.value[LATENCY] = study_unit(LATENCY, time->ij);
			o.value[BIDIRECTIONAL] = study_unit(BIDIRECTIONAL, both);
			if (isnan(o.value[BANDWIDTH]) && isnan(o.value[LATENCY]) && isnan(both) &&
			    session_is_over(m->s))
				continue;	/* else it did not answer */
			keep(m, &o);
		}
	}
}

static int put_row(void *session, const struct row *row)
{
	sink_write(session, row);
	return ST_OK;
}

/* Rank 0: in the last visit, the rows of pairs that have answered in it: they have all they get. */
static void write_rows(struct mapping *m, uint32_t visit, const struct encounter *at, size_t n)
{
	struct session *s = m->s;
	struct pair_rows to = { &s->sink->record, put_row, s };

	silent_sort(&m->study);
	for (size_t k = 0; k < n && visit + 1 == m->visits && !session_is_over(s); k++) {
		const uint32_t host[] = { at[k].i, at[k].j };

		for (int i = 0; i < 2; i++) {
			bool *written = &m->written[(size_t)host[i] * m->n + host[!i]];
			bool answers = !isnan(at[k].ij) && !isnan(at[k].ji);

			if (*written || !answers)
				continue;
			map_row(&m->study, &s->settings->output, &to, host[i], host[!i]);
			*written = true;
		}
	}
}

static bool visit_round(struct mapping *m, uint32_t visit, const struct tournament *t, uint32_t k,
			struct rng *rng)
{
	struct encounter *time = m->at, *rate = m->at + m->n, *both = rate + m->n;
	const struct encounter *y[NQUANTITIES] = { [LATENCY] = time, [BANDWIDTH] = rate,
						   [BIDIRECTIONAL] = both };
	bool back_first = rng_next(rng) >> 63, goes_on;
	size_t n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t j = tournament_meets(t, k, i);

		if (j > i && !m->out[i] && !m->out[j])
			time[n++] = (struct encounter){ i, j, NAN, NAN };
		else if (j > i && session_is_root(m->s))
			keep_failure(m, visit, k, i, j);
	}
	memcpy(rate, time, n * sizeof(*rate));
	memcpy(both, time, n * sizeof(*both));
	m->s->part.lost = false;
	goes_on = play_round(m, LATENCY, time, n, false) &&
		  play_round(m, BANDWIDTH, rate, n, back_first) &&
		  (!m->o->bidirectional || play_round(m, BIDIRECTIONAL, both, n, false));
	if (session_is_root(m->s)) {
		keep_round(m, visit, k, y, n);
		journal_commit(&m->journal);
		write_rows(m, visit, rate, n);
		m->s->sink->done += goes_on;
	}
	agree_who_is_out(m, rate, n);
	return goes_on;
}

/* The same on all ranks, by the seed. */
static bool visit_all(struct mapping *m, uint32_t visit, struct rng *rng)
{
	uint32_t quick = m->mode == MODE_QUICK ? (uint32_t)m->o->rounds : 0, number;
	struct tournament t;
	bool goes_on = true;

	if (tournament_make(&t, m->n, quick, rng))
		session_abort(m->s, ST_FAILED);
	if (session_is_root(m->s))
		study_visit(&m->study, visit + 1, &number);
	for (uint32_t k = 0; k < t.nrounds && goes_on; k++)
		goes_on = visit_round(m, visit, &t, k, rng);
	tournament_free(&t);
	m->done += goes_on;
	return goes_on;
}

/* ---- again ---- */

static void measure_order(struct mapping *m, const struct order *order)
{
	m->s->part.lost = false;
	play_round(m, (enum quantity)order->quantity, m->at, order->n, order->go_on > 1);
	agree_who_is_out(m, m->at, order->n);
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
	struct order order = { 1 + (s->sink->done & 1), 0, o->quantity };

	if (session_is_over(s))
		return ST_FAILED;
	for (size_t k = 0; k < n; k++) {
		meetings[k].ij = meetings[k].ji = NAN;
		if (!is_out(m, &meetings[k]))
			m->at[order.n++] = meetings[k];
	}
	s->sink->planned++;
	session_bcast(s, &order, sizeof(order));
	bcast_long(s, m->at, order.n * sizeof(*m->at));
	measure_order(m, &order);
	if (session_is_over(s))
		return ST_FAILED;
	s->sink->done++;
	for (size_t k = 0, to = 0; k < order.n; k++, to++) {
		while (meetings[to].i != m->at[k].i || meetings[to].j != m->at[k].j)
			to++;
		meetings[to] = m->at[k];
	}
	return ST_OK;
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
		measure_order(m, &order);
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

static enum map_mode choose_mode(const struct mapping *m)
{
	if (m->o->mode != MODE_AUTO)
		return (enum map_mode)m->o->mode;
	if (m->n > HOSTS_QUICK || settings_given(m->s->settings, "rounds"))
		return MODE_QUICK;
	return MODE_ROUNDS;
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
		m->spec[LATENCY].least = true;
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
	m->at = calloc(NQUANTITIES * size, sizeof(*m->at));
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
	find_players(m);
	m->mode = choose_mode(m);
	make_way(m);
	m->visits = m->mode == MODE_QUICK	   ? 1
		    : settings_given(st, "visits") ? (uint32_t)st->m.visits
		    : m->n <= HOSTS_FEW		   ? VISITS_FEW
						   : VISITS_MANY;
	m->rules = (struct rules){ .limits = thresholds_of(m->o->min_effect / 100),
				   .seed = st->m.seed };
	m->all = (struct verdicts){ .s = &m->study, .rules = &m->rules };
	m->before = machines_look(s, is_player(m));
}

/* Rank 0: before anything is measured. */
static void begin_study(struct mapping *m)
{
	int err = journal_open(&m->journal, &m->s->settings->output);

	m->study.size_B = m->s->plan->sizes.v[1];
	m->written = calloc((size_t)m->n * m->n, sizeof(*m->written));
	if (!m->written)
		err = error_report("no memory for all pairs of %u hosts", m->n);
	if (err)
		session_abort(m->s, err);
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
		uint32_t each = m->mode == MODE_QUICK ? (uint32_t)m->o->rounds
						      : tournament_rounds(m->n);

		s->own = m;
		begin_study(m);
		s->sink->planned = (size_t)m->visits * each;
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
	struct pair_rows to = { &s->sink->record, put_row, s };
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
	if (!err)
		journal_close(&m->journal);
	if (!err)
		put_summary(m);
	err = err ? err : map_conclude(m->o, &m->all);
	forget(m);
	s->own = NULL;
	return err;
}

/* What the title calls it, and what it needs. */
static const struct pattern all_pairs = { .name = "all pairs", .needs = CAP_PAIR | CAP_WINDOW };

const struct benchmark map_pairs = {
	.definition = "map.v1",
	.pattern = &all_pairs,
	.columns = { .id = map_columns, .n = MAP_NCOLUMNS, .words = true },
	.sizes = { .max_log2 = 20, .list = sizes, .n = NSIZES },
	.min_ranks = 2,
	.outlives = true,
	.own_visits = true,
	.plan = plan,
	.run = run,
	.conclude = conclude,
};
