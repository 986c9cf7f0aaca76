/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/random.h"
#include "base/sort.h"
#include "cmd/load/bars.h"
#include "cmd/load/group.h"
#include "measure/part.h"
#include "measure/sink/sink.h"
#include "result/document.h"

#define CAPACITY_EPOCHS 10
/* a load counts as reached if it deviates by at most this share of the capacity (55) */
#define TOLERANCE 0.05
/* where the load is not judged, an aggressor may leave out at most this share of its messages */
#define WITHHELD 0.1
#define QUEUES_DRAIN_NS 10000000	/* pause between two epochs, so that queues drain */

static const double quantiles[LOAD_QUANTILES] = { 0.5, 0.9, 0.99, 0.999 };

enum { QUIET, LOADED, KINDS };

/* The state of a rank while it measures a row. */
struct trial {
	struct session *s;
	const struct load_point *point;
	double capacity;		/* bytes per second; 0: not known yet */
	struct epochs latency[KINDS], service[KINDS];
	struct load_outcome did[KINDS];	/* outcome of the latest epoch of each kind */
	struct load_found found;
	struct series loads;		/* rank 0: load in each pair of epochs */
	struct series missed;		/* rank 0: in each pair that failed, what was too little */
	struct load_result *res;	/* results of the row, on rank 0 */
};

/* ---- one epoch ---- */

/* What all aggressors did in an epoch. */
struct pressure {
	double rate;	/* bytes per second that they received together */
	double posted;	/* the least share of its messages that any aggressor posted */
};

/*
 * Runs an epoch on all ranks and collects the outcome of each. Returns the same on every rank.
 * Collective.
 */
static struct pressure run_epoch_on_all(struct trial *t, bool victims, bool loaded,
					struct series *latency, struct series *service,
					struct load_outcome *did)
{
	struct session *s = t->s;
	struct load_epoch epoch = { .number = s->seq++, .victims = victims,
				    .aggressors = loaded };
	const struct timespec drain = { 0, QUEUES_DRAIN_NS };
	const struct load_outcome *all;
	const struct load_args *a = &t->point->args;
	struct pressure sum = { .posted = 1 };
	int senders = 0;
	double late;

	epoch.traffic = (struct load_traffic){
		.patterns = a->patterns,
		.target = a->rotates ? (int)(epoch.number % (uint64_t)a->cast->naggressors) : 0 };
	for (int i = 0; i < a->cast->naggressors; i++)
		senders += cast_sends_any(a->cast, epoch.traffic, i);
	if (t->point->level > 0 && t->point->level < 1 && t->capacity > 0)
		epoch.gap_s = (double)a->aggressor_size * senders /
			      (t->point->level * t->capacity);
	load_set_epoch(s->part.state, &epoch);
	if (!(s->ep->caps & CAP_VIRTUAL))
		nanosleep(&drain, NULL);
	part_run(s, &late);
	if (victims && a->victim == VICTIM_ALLREDUCE)
		group_join_ends(s, s->part.state);
	if (load_collect(s->part.state, did, latency, service))
		session_abort(s, error_report("no memory for the events of an epoch"));
	all = session_gather(s, did, sizeof(*did));
	for (int r = 0; r < s->job->size && session_is_root(s); r++) {
		sum.rate += all[r].bytes / all[r].counted_s;
		sum.posted = fmin(sum.posted, all[r].posted);
		t->res->checked += all[r].checked;
		t->res->errors += all[r].errors;
	}
	session_bcast(s, &sum, sizeof(sum));
	if (load_complete_receives(s->part.state))
		session_abort(s, ST_FAILED);
	return sum;
}

/* ---- pairs ---- */

bool load_is_judged(const struct load_point *p)
{
	return p->level < 1 && p->args.victim != VICTIM_BANDWIDTH;
}

/*
 * Runs one epoch of a pair. If the load is not reached, runs the epoch once more. Returns whether
 * the load was reached.
 */
static bool run_epoch_of_pair(struct trial *t, int kind)
{
	bool loaded = kind == LOADED && t->point->level > 0, reached = false;
	struct pressure sum = { .posted = 1 };

	for (int tries = 0; tries < 2 && !reached; tries++) {
		discard_epoch(&t->latency[kind]);
		discard_epoch(&t->service[kind]);
		sum = run_epoch_on_all(t, true, loaded, &t->latency[kind].events,
				       &t->service[kind].events, &t->did[kind]);
		sum.rate = loaded && t->capacity > 0 ? sum.rate / t->capacity : 0;
		reached = load_is_judged(t->point)
				  ? fabs(sum.rate - t->point->level) <= TOLERANCE
				  : sum.posted >= 1 - WITHHELD && (!loaded || t->capacity > 0);
		reached |= kind == QUIET;
	}
	if (kind == LOADED && session_is_root(t->s) &&
	    (series_push(&t->loads, sum.rate) ||
	     (!reached && series_push(&t->missed, load_is_judged(t->point) ? sum.rate
									  : sum.posted))))
		session_abort(t->s, error_report("no memory for an epoch"));
	return reached;
}

/* Ends a pair of epochs. Both epochs count, or neither does. */
static void end_pair(struct trial *t, bool counts)
{
	int err = 0;

	for (int kind = 0; kind < KINDS && !err; kind++) {
		const struct load_outcome *did = &t->did[kind];
		double rate = (double)did->ended / did->counted_s;

		if (!counts) {
			discard_epoch(&t->latency[kind]);
			discard_epoch(&t->service[kind]);
			continue;
		}
		err = end_epoch(&t->latency[kind], did->unanswered, rate) ||
		      end_epoch(&t->service[kind], did->unanswered, rate);
	}
	if (err)
		session_abort(t->s, error_report("no memory for an epoch"));
	if (!counts)
		return;
	t->found.unanswered += t->did[LOADED].unanswered;
	t->found.late_sends += t->did[LOADED].late_sends;
	t->found.due += t->did[LOADED].due;
	t->found.ended += t->did[LOADED].ended;
	if (t->did[LOADED].backlog_most > t->found.backlog_most)
		t->found.backlog_most = t->did[LOADED].backlog_most;
}

static bool may_continue(struct session *s)
{
	bool late = session_is_root(s) && session_out_of_time(s);

	session_agree(s, late ? STOP_TIME_LIMIT : STOP_NOT);
	return !session_is_over(s);
}

static void run_pairs(struct trial *t)
{
	struct session *s = t->s;
	struct rng rng;

	rng_seed(&rng, t->point->args.seed + s->seq);
	for (uint64_t i = 0; i < t->point->epochs && may_continue(s); i++) {
		int first = (int)(rng_next(&rng) >> 63);
		bool reached;

		if (session_is_root(s))
			sink_show_progress(s, &(struct progress_point){
				t->point->args.victim_size, i, 0, 0, 1 });
		reached = run_epoch_of_pair(t, first);
		reached &= run_epoch_of_pair(t, !first);
		/* times beside aggressors that posted too little are measured, too */
		end_pair(t, reached || !load_is_judged(t->point));
		if (session_is_root(s)) {
			t->res->epochs += reached;
			t->res->failed += !reached;
		}
	}
}

/* ---- results ---- */

static struct load_times summarise_times(const struct epochs *e)
{
	struct load_times t = { .mean = epochs_mean(e), .max = epochs_max(e) };

	for (int q = 0; q < LOAD_QUANTILES; q++)
		t.quantile[q] = epochs_quantile(e, quantiles[q]);
	return t;
}

static void summarise_trial(struct trial *t)
{
	struct load_found *f = &t->found;

	f->latency = summarise_times(&t->latency[LOADED]);
	f->quiet = summarise_times(&t->latency[QUIET]);
	f->service = summarise_times(&t->service[LOADED]);
	f->rate = epochs_rate(&t->latency[LOADED]);
	for (int q = 0; q < LOAD_QUANTILES; q++)
		f->factor[q] = load_factor(&t->latency[QUIET], &t->latency[LOADED], quantiles[q]);
	f->rate_factor = load_rate_factor(&t->latency[QUIET], &t->latency[LOADED]);
}

/*
 * Returns how slow a victim is under load: its p99 if every victim has one (`by_tail`), else its
 * median. Returns infinity for a victim with too few events, because it stood still.
 */
static double slowness(const struct load_found *f, bool by_tail)
{
	double value = f->latency.quantile[by_tail ? LOAD_P99 : LOAD_P50].value;

	return isnan(value) ? INFINITY : value;
}

/*
 * Rank 0: puts the result of the victim that suffers most into res->worst, and returns its rank.
 * The counts in res->worst are over all victims.
 */
static int choose_worst_victim(const struct session *s, const struct cast *c,
				const struct load_found *all, struct load_result *res)
{
	struct load_found sum = { .unanswered = 0 };
	bool by_tail = true;
	int worst = -1;

	for (int i = 0; i < c->nvictims; i += c->group)
		by_tail &= !isnan(all[c->victim[i]].latency.quantile[LOAD_P99].value);
	for (int i = 0; i < c->nvictims; i += c->group) {
		const struct load_found *f = &all[c->victim[i]];

		if (worst < 0 || slowness(f, by_tail) > slowness(&all[worst], by_tail))
			worst = c->victim[i];
		sum.unanswered += f->unanswered;
		sum.late_sends += f->late_sends;
		sum.due += f->due;
		sum.ended += f->ended;
		sum.backlog_most = f->backlog_most > sum.backlog_most ? f->backlog_most
								      : sum.backlog_most;
	}
	res->worst = all[worst];
	res->worst.unanswered = sum.unanswered;
	res->worst.late_sends = sum.late_sends;
	res->worst.due = sum.due;
	res->worst.ended = sum.ended;
	res->worst.backlog_most = sum.backlog_most;
	return worst;
}

/* ---- a whole row ---- */

double load_capacity(struct session *s, const struct spec *spec)
{
	const struct load_point *p = spec->own;
	struct load_result checks = { .epochs = 0 };
	struct trial t = { .s = s, .point = p, .res = &checks };
	struct series rates = { .n = 0 }, none[2] = { { .n = 0 }, { .n = 0 } };
	double capacity = 0;

	part_build(s, spec, 1);
	for (int i = 0; i < CAPACITY_EPOCHS && may_continue(s); i++)
		if (series_push(&rates, run_epoch_on_all(&t, false, true, &none[0], &none[1],
							 t.did).rate))
			session_abort(s, error_report("no memory for an epoch"));
	if (rates.n)
		capacity = median(rates.s, rates.n);
	if (session_is_root(s))
		s->sink->errors += checks.errors;
	series_free(&rates);
	return session_is_over(s) ? 0 : capacity;
}

void load_measure(struct session *s, const struct spec *spec, double capacity,
		  struct load_result *res)
{
	const struct load_point *p = spec->own;
	struct trial t = { .s = s, .point = p, .capacity = capacity, .res = res };
	const struct load_found *all;
	json_t *bars[KINDS];
	int worst = 0;

	*res = (struct load_result){ .epochs = 0 };
	part_build(s, spec, 1);
	run_pairs(&t);
	summarise_trial(&t);
	all = session_gather(s, &t.found, sizeof(t.found));
	if (session_is_root(s)) {
		worst = choose_worst_victim(s, p->args.cast, all, res);
		/* over all pairs of epochs, also over pairs that do not count */
		res->load = median_with_bounds(t.loads.s, t.loads.n);
		res->missed = t.missed.n ? median(t.missed.s, t.missed.n) : NAN;
	}
	session_bcast(s, &worst, sizeof(worst));
	bars[LOADED] = bars_gather(s, worst, &t.latency[LOADED]);
	bars[QUIET] = bars_gather(s, worst, &t.latency[QUIET]);
	if (session_is_root(s)) {
		res->worst_rank = worst;
		res->samples = json_pack("{s: o, s: o}", LOAD_BARS, bars[LOADED], LOAD_QUIET_BARS,
					 bars[QUIET]);
	}
	for (int kind = 0; kind < KINDS; kind++) {
		epochs_free(&t.latency[kind]);
		epochs_free(&t.service[kind]);
	}
	series_free(&t.loads);
	series_free(&t.missed);
}
