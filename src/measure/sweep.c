/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "base/stats.h"
#include "base/text.h"
#include "host/others.h"
#include "job/local.h"
#include "job/sim.h"
#include "measure/measure.h"
#include "measure/monitor/run.h"
#include "measure/open.h"
#include "measure/sink/sink.h"
#include "result/report.h"

/* The pause between drafts is this many times the time that writing the drafts took. */
#define DRAFTS_APART 20

/* ---- one spec ---- */

/*
 * Called after each row or visit. Returns whether the run continues. Rank 0 ends the run if no
 * outlet is left to write to.
 */
static bool run_continues(struct session *s)
{
	bool dead = session_is_root(s) && report_all_failed(s->report);

	if (session_is_over(s))
		return false;
	if (session_agree(s, dead ? STOP_REPETITIONS : STOP_NOT) != STOP_NOT && !session_is_over(s))
		s->over = STOP_REPETITIONS;
	return !session_is_over(s);
}

bool sweep_spec(struct session *s, const struct spec *spec)
{
	char room[CANNOT_TEXT];
	const char *why = measure_refusal(s, spec, room);
	struct result res;

	if (why) {
		if (session_is_root(s))
			sink_row_left_out(s, spec, why);
	} else {
		measure(s, spec, &res);
		if (session_is_root(s) && (res.stop != STOP_SIGNAL || res.time.n)) {
			s->sink->errors += res.errors;
			s->sink->count.cut_short += s->over == STOP_SIGNAL;
			sink_write_result(s, &res);
		}
		result_free(&res);
	}
	if (session_is_root(s) && s->over != STOP_SIGNAL)
		s->sink->count.done++;
	return run_continues(s);
}

bool sweep_measure(struct session *s, const struct spec *spec, struct result *res)
{
	char room[CANNOT_TEXT];
	bool can = !measure_refusal(s, spec, room);

	*res = (struct result){ .spec = spec };
	if (can)
		measure(s, spec, res);
	if (s->over == STOP_SIGNAL)
		return false;
	if (session_is_root(s)) {
		s->sink->count.done++;
		s->sink->errors += res->errors;
	}
	return can;
}

/* ---- several visits to each point ---- */

/* A spec and the samples of its visits so far. */
struct point {
	const struct spec *spec;
	struct result res;
	bool ended;			/* the point gets no more visits */
	bool fresh;			/* rank 0: the point was visited since its latest summary */
	struct samples samples;		/* rank 0 */
	char room[CANNOT_TEXT];
	const char *cannot;
};

/* Rank 0: exchanges the samples of the point with the samples in the sink. */
static void swap_samples(struct session *s, struct point *p)
{
	struct samples other;

	if (!session_is_root(s))
		return;
	other = s->sink->samples;
	s->sink->samples = p->samples;
	p->samples = other;
}

static void free_point(struct point *p)
{
	result_free(&p->res);
	samples_close(&p->samples);
}

/*
 * Rank 0: calls write(s, result) after the summary has been updated, while the sink holds the
 * samples of the point.
 */
static void write_point(struct session *s, struct point *p,
			void (*write)(struct session *s, const struct result *res))
{
	swap_samples(s, p);
	if (p->fresh)
		measure_summarise(s, &p->res);
	p->fresh = false;
	write(s, &p->res);
	swap_samples(s, p);
}

/*
 * Rank 0: writes the rows of complete points from *next on, and stops at the first incomplete one
 * of the n points. At the `end` of the run, writes the rows of all visited points.
 */
static void write_points(struct session *s, struct point *points, size_t n, size_t *next, bool end)
{
	for (; session_is_root(s) && *next < n; (*next)++) {
		struct point *p = &points[*next];

		if (!p->cannot && !end && !p->ended)
			return;
		if (!p->cannot && !p->res.visits)
			continue;
		if (p->cannot) {
			sink_row_left_out(s, p->spec, p->cannot);
		} else {
			s->sink->errors += p->res.errors;
			if (!p->ended && session_is_over(s))
				p->res.stop = s->over;
			write_point(s, p, sink_write_result);
		}
		s->sink->count.done += p->cannot || p->ended;
		s->sink->count.cut_short += !p->cannot && !p->ended;
		free_point(p);
	}
}

/*
 * Rank 0: writes draft rows of all visited ones of the n points, from `next` on, to the files. The
 * next rows replace them. Does nothing if the pause after the previous drafts is not over.
 */
static void write_drafts(struct session *s, struct point *points, size_t n, size_t next)
{
	double begin_s = clock_wall();
	struct drafts *d;

	if (!session_is_root(s))
		return;
	d = &s->sink->drafts;
	if (s->sink->monitor || !report_keeps_drafts(s->report) || begin_s < d->next_s)
		return;
	for (size_t i = next; i < n; i++)
		if (points[i].res.visits)
			write_point(s, &points[i], sink_write_draft);
	sink_end_drafts(s);
	d->next_s = clock_wall() + DRAFTS_APART * (clock_wall() - begin_s);
}

/* Makes one more visit of a point. If there is no time for the visit, ends the point instead. */
static void visit_point(struct session *s, struct point *p)
{
	bool more = true;

	if (p->res.visits && session_is_root(s))
		more = measure_has_time(s, &p->res);
	if (p->res.visits)
		session_bcast(s, &more, sizeof(more));
	p->ended |= !more;
	if (!more && p->res.times.n < FEWEST_REPETITIONS)
		p->res.stop = STOP_SLOW;
	if (p->ended)
		return;
	if (session_is_root(s) && !p->res.visits &&
	    samples_open(&p->samples, s->job->size, s->plan->n, s->settings->m.samples))
		session_abort(s, ST_FAILED);
	swap_samples(s, p);
	measure_visit(s, p->spec, &p->res);
	swap_samples(s, p);
	p->fresh = true;
	p->ended = p->res.visits + p->res.dropped == s->plan->stopping.visits;
}

/*
 * Rank 0: adds to the summary the order of a round of visits to n points. The first of these points
 * has the number `first` in the run.
 */
static void record_order(struct session *s, const uint32_t *order, size_t n, size_t first)
{
	json_t *summary = s->sink->record.summary, *one = json_array();
	json_t *orders = json_object_get(summary, "visit_order");

	for (size_t i = 0; i < n; i++)
		json_array_append_new(one, json_integer((json_int_t)(first + order[i])));
	if (!orders)
		json_object_set_new(summary, "visit_order", orders = json_array());
	json_array_append_new(orders, one);
}

/* Visits all points several times, each time in a new random order. Records the orders. */
static void sweep_visits(struct session *s, const struct spec *specs, size_t n)
{
	size_t next = 0, first = session_is_root(s) ? s->sink->count.done : 0;
	struct point *points = calloc(n + 1, sizeof(*points));
	uint32_t *order = calloc(n + 1, sizeof(*order));
	struct rng rng;

	if (!points || !order)
		session_abort(s, error_report("no memory for %zu points", n));
	for (size_t i = 0; i < n; i++) {
		points[i].spec = &specs[i];
		points[i].cannot = measure_refusal(s, &specs[i], points[i].room);
	}
	rng_seed(&rng, s->settings->m.seed);
	for (uint64_t k = 0; k < s->plan->stopping.visits * n; k++) {
		struct point *p;

		if (k % n == 0) {
			rng_permutation(&rng, order, n);
			if (session_is_root(s))
				record_order(s, order, n, first);
		}
		p = &points[order[k % n]];
		if (!p->cannot && !p->ended)
			visit_point(s, p);
		if (session_is_root(s))
			s->sink->count.turns++;
		if (!session_is_over(s))
			write_points(s, points, n, &next, false);
		if (!session_is_over(s) && k + 1 < s->plan->stopping.visits * n)
			write_drafts(s, points, n, next);
		if (!run_continues(s))
			break;
	}
	write_points(s, points, n, &next, true);
	for (size_t i = 0; i < n; i++)
		free_point(&points[i]);
	free(points);
	free(order);
}

void sweep_specs(struct session *s, const struct spec *specs, size_t n)
{
	if (s->plan->stopping.visits > 1) {
		sweep_visits(s, specs, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (!sweep_spec(s, &specs[i]))
			return;
}

void sweep_plan(struct session *s)
{
	sweep_specs(s, s->plan->specs, s->plan->n);
}

/* ---- before and after all specs ---- */

/* Values read before the first spec, to compare with the values after the final spec. */
struct before {
	double cpu_s;
	struct cpu_usage usage;		/* rank 0 */
	struct counter counters[COUNTERS_MAX];
	int ncounters;
};

/* Returns the processor time of this process so far, s. */
static double own_cpu_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Adds to the summary the events that the endpoints of all ranks have counted during the run. */
static void compare_counters(struct session *s, const struct before *b)
{
	struct counter now[COUNTERS_MAX];
	double mine[COUNTERS_MAX] = { 0 };
	const double *all;
	json_t *sums;

	if (!b->ncounters)
		return;
	s->ep->be->counters(s->ep, now);
	for (int i = 0; i < b->ncounters; i++) {
		bool strangers = !strcmp(now[i].name, COUNTER_STRANGERS);

		mine[i] = now[i].value - (strangers ? 0 : b->counters[i].value);
	}
	all = session_gather(s, mine, sizeof(mine));
	if (!session_is_root(s))
		return;
	sums = json_object();
	for (int i = 0; i < b->ncounters; i++) {
		double sum = 0;

		for (int r = 0; r < s->job->size; r++)
			sum += all[r * COUNTERS_MAX + i];
		if (strcmp(now[i].name, COUNTER_STRANGERS) != 0) {
			json_object_set_new(sums, now[i].name, json_integer((json_int_t)sum));
		} else {
			s->sink->strangers.counted = true;
			s->sink->strangers.n = (uint64_t)sum;
			if (sum > 0)
				sink_warn(s, "backend '%s' refused %.0f messages or connections "
					  "that do not belong to this run", s->ep->be->name, sum);
		}
		if (sum > 0 && now[i].amiss)
			sink_warn(s, "%s: %.0f during the run", now[i].name, sum);
	}
	if (json_object_size(sums))
		json_object_set(s->sink->record.summary, "counters", sums);
	json_decref(sums);
}

/*
 * Compares the clocks once more, unless the run is over. Adds to the summary the error of the
 * clocks, and how much other programs used the machine of rank 0.
 */
static void record_disturbances(struct session *s, const struct before *b)
{
	/*
	 * processor time that a rank has used, the change of its clock's offset from the expected
	 * one, and the machine on which the rank runs
	 */
	struct used {
		double cpu_s, strayed_s;
		char machine[MACHINE_ID];
	} mine = { .strayed_s = 0 };
	bool windows = s->sync.scheme == SYNC_WINDOW && !session_is_over(s);
	double own = 0, worst = 0, others, drift = clock_drift();
	const struct used *all;
	json_t *summary;

	if (s->ep->caps & CAP_VIRTUAL)
		return;
	if (windows && sync_compare_again(&s->sync, &mine.strayed_s))
		session_abort(s, ST_FAILED);
	mine.cpu_s = own_cpu_seconds() - b->cpu_s;
	strcpy(mine.machine, local_machine_id());
	all = session_gather(s, &mine, sizeof(mine));
	if (!session_is_root(s))
		return;
	summary = s->sink->record.summary;
	for (int r = 0; r < s->job->size; r++) {
		worst = fmax(worst, all[r].strayed_s);
		if (!memcmp(all[r].machine, all[0].machine, sizeof(mine.machine)))
			own += all[r].cpu_s;
	}
	if (windows) {
		json_object_set_new(summary, "clock_error_s", json_real(s->sync.error_s));
		json_object_set_new(summary, "clock_closing_error_s", json_real(worst));
	}
	others = cpu_usage_by_others(&b->usage, own);
	json_object_set_new(summary, "cpu_others_cores", json_real(others));
	if (others > 0.1)
		sink_warn(s, "other programs used %.2f cores of this machine during the run",
			  others);
	if (fabs(drift) > 1e-4)
		sink_warn(s, "clock '%s' drifted by %s relative to CLOCK_MONOTONIC_RAW during the "
			  "run", host_clock.name, plain(drift, 2).s);
}

/* Rank 0: writes the end of the results and closes them. Returns the exit status of the run. */
static int conclude_run(struct session *s)
{
	int verdict, err = sink_close(s, sink_conclude(s, &verdict));

	return err && (err != ST_NO_READER || !verdict) ? err : verdict;
}

/* Returns whether a signal has come or the time limit is reached. */
static bool must_end_now(void *arg)
{
	const struct session *s = arg;

	return job_stop(s->job) || session_out_of_time(s);
}

/* Measures the plan once. */
static void measure_plan(struct session *s)
{
	if (s->plan->what->run)
		s->plan->what->run(s);
	else
		sweep_plan(s);
}

/*
 * Runs the benchmark to its end and returns true. In virtual time, rank 0 ends the run within a
 * round if the time limit is over or a signal has come. Then this function returns false, and only
 * rank 0 is left.
 */
static bool run_benchmark(struct session *s)
{
	bool watches = s->ep->caps & CAP_VIRTUAL && session_is_root(s);
	jmp_buf back;

	if (watches && _setjmp(back)) {
		s->over = job_stop(s->job) ? STOP_SIGNAL : STOP_TIME_LIMIT;
		return false;
	}
	if (watches)
		fibers_watch(job_sim_fibers(s->job), must_end_now, s, &back);
	if (settings_monitors(s->settings))
		monitor_run(s, measure_plan);
	else
		measure_plan(s);
	/* compute the condition again, because a local variable may be lost after setjmp */
	if (s->ep->caps & CAP_VIRTUAL && session_is_root(s))
		fibers_watch(job_sim_fibers(s->job), NULL, NULL, NULL);
	return true;
}

int sweep_run(const struct plan *p, struct job *job, const char *own_options)
{
	struct session s;
	struct before before = { .ncounters = 0 };
	int err = ST_OK;

	session_open(&s, p, job, own_options);
	before.cpu_s = own_cpu_seconds();
	if (session_is_root(&s))
		cpu_usage_start(&before.usage);
	if (s.ep->be->counters)
		before.ncounters = s.ep->be->counters(s.ep, before.counters);
	s.started_s = clock_wall();
	if (!run_benchmark(&s)) {
		err = conclude_run(&s);
		fibers_exit(job_sim_fibers(job), err);
	}
	compare_counters(&s, &before);
	record_disturbances(&s, &before);
	if (session_is_root(&s))
		err = conclude_run(&s);
	session_close(&s);
	return err;
}
