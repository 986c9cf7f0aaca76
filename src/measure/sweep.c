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
#include "base/text.h"
#include "host/others.h"
#include "job/local.h"
#include "job/sim.h"
#include "measure/measure.h"
#include "measure/open.h"
#include "measure/sink/sink.h"

/* ---- one spec ---- */

/* Rank 0, after a row: nothing more can be measured if no sink is left to write to. */
static bool goes_on(struct session *s)
{
	bool dead = session_is_root(s) && report_is_dead(s->report);

	if (session_is_over(s))
		return false;
	if (session_agree(s, dead ? STOP_REPETITIONS : STOP_NOT) != STOP_NOT && !session_is_over(s))
		s->over = STOP_REPETITIONS;
	return !session_is_over(s);
}

bool sweep_spec(struct session *s, const struct spec *spec)
{
	char room[CANNOT_TEXT];
	const char *why = measure_cannot(s, spec, room);
	struct result res;

	if (why) {
		if (session_is_root(s))
			sink_row_left_out(s, spec, why);
	} else {
		measure(s, spec, &res);
		if (session_is_root(s) && (res.stop != STOP_SIGNAL || res.time.n)) {
			s->sink->errors += res.errors;
			s->sink->count.cut_short += s->over == STOP_SIGNAL;
			sink_row(s, &res);
		}
		result_free(&res);
	}
	if (session_is_root(s) && s->over != STOP_SIGNAL)
		s->sink->count.done++;
	return goes_on(s);
}

bool sweep_measure(struct session *s, const struct spec *spec, struct result *res)
{
	char room[CANNOT_TEXT];
	bool can = !measure_cannot(s, spec, room);

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

/* ---- points that are visited several times ---- */

/* What the visits of a spec have given so far. */
struct point {
	const struct spec *spec;
	struct result res;
	struct samples samples;		/* rank 0 */
	char room[CANNOT_TEXT];
	const char *cannot;
};

/* Puts the point's samples in the sink's place, or back. Rank 0. */
static void swap_samples(struct session *s, struct point *p)
{
	struct samples other = s->sink->samples;

	s->sink->samples = p->samples;
	p->samples = other;
}

static void visit_point(struct session *s, struct point *p)
{
	bool root = session_is_root(s);

	if (p->cannot)
		return;
	if (root && !p->res.visits &&
	    samples_open(&p->samples, s->job->size, s->settings->m.samples))
		session_abort(s, ST_FAILED);
	if (root)
		swap_samples(s, p);
	measure_visit(s, p->spec, &p->res);
	if (root)
		swap_samples(s, p);
}

static void free_point(struct point *p)
{
	result_free(&p->res);
	samples_close(&p->samples);
}

/* Rank 0: the rows of points from *next on that have all visits, or at the end of the run any. */
static void write_points(struct session *s, struct point *points, size_t *next, bool end)
{
	for (; *next < s->plan->n; (*next)++) {
		struct point *p = &points[*next];

		if (!p->cannot && !end && p->res.visits < s->settings->m.visits)
			return;
		if (!p->cannot && !p->res.visits)
			continue;
		if (p->cannot) {
			sink_row_left_out(s, p->spec, p->cannot);
		} else {
			s->sink->errors += p->res.errors;
			swap_samples(s, p);
			sink_row(s, &p->res);
			swap_samples(s, p);
		}
		s->sink->count.done++;
		free_point(p);
	}
}

/* Rank 0: puts a visit's order in the record. */
static void record_order(struct session *s, const uint32_t *order)
{
	json_t *summary = s->sink->record.summary, *all = json_object_get(summary, "visit_order");
	json_t *one = json_array();

	if (!all) {
		all = json_array();
		json_object_set_new(summary, "visit_order", all);
	}
	for (size_t i = 0; i < s->plan->n; i++)
		json_array_append_new(one, json_integer(order[i]));
	json_array_append_new(all, one);
}

/* Visits all points so often, each time in another order. */
static void visit_all(struct session *s, struct point *points, uint32_t *order)
{
	size_t next = 0;
	struct rng rng;

	rng_seed(&rng, s->settings->m.seed);
	for (uint64_t v = 0; v < s->settings->m.visits; v++) {
		rng_permutation(&rng, order, s->plan->n);
		if (session_is_root(s))
			record_order(s, order);
		for (size_t i = 0; i < s->plan->n; i++) {
			visit_point(s, &points[order[i]]);
			if (session_is_root(s) && !session_is_over(s))
				write_points(s, points, &next, false);
			if (!goes_on(s))
				goto out;
		}
	}
out:
	if (session_is_root(s))
		write_points(s, points, &next, true);
}

static void sweep_visits(struct session *s, const struct spec *specs)
{
	struct point *points = calloc(s->plan->n + 1, sizeof(*points));
	uint32_t *order = calloc(s->plan->n + 1, sizeof(*order));

	if (!points || !order)
		session_abort(s, error_report("no memory for %zu points", s->plan->n));
	for (size_t i = 0; i < s->plan->n; i++) {
		points[i].spec = &specs[i];
		points[i].cannot = measure_cannot(s, &specs[i], points[i].room);
	}
	visit_all(s, points, order);
	for (size_t i = 0; i < s->plan->n; i++)
		free_point(&points[i]);
	free(points);
	free(order);
}

void sweep_specs(struct session *s, const struct spec *specs)
{
	if (s->settings->m.visits > 1) {
		sweep_visits(s, specs);
		return;
	}
	for (size_t i = 0; i < s->plan->n; i++)
		if (!sweep_spec(s, &specs[i]))
			return;
}

void sweep_walk(struct session *s)
{
	sweep_specs(s, s->plan->specs);
}

/* ---- around all of them ---- */

/* What is read before the first spec and compared after the last. */
struct before {
	double cpu_s;
	struct cpu_usage usage;		/* rank 0 */
	struct counter counters[COUNTERS_MAX];
	int ncounters;
};

/* What a rank has used of which machine. */
struct used {
	double cpu_s;
	char machine[MACHINE_ID];
};

static double cpu_used(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void look_before(struct session *s, struct before *b)
{
	*b = (struct before){ .cpu_s = cpu_used() };
	if (session_is_root(s))
		others_start(&b->usage);
	if (s->ep->be->counters)
		b->ncounters = s->ep->be->counters(s->ep, b->counters);
}

static bool is_of_strangers(const struct counter *c)
{
	return !strcmp(c->name, COUNTER_STRANGERS);
}

/* What the endpoints of all ranks have counted since the start. */
static void compare_counters(struct session *s, const struct before *b)
{
	struct counter now[COUNTERS_MAX];
	double mine[COUNTERS_MAX] = { 0 };
	const double *all;
	json_t *sums;

	if (!b->ncounters)
		return;
	s->ep->be->counters(s->ep, now);
	for (int i = 0; i < b->ncounters; i++)
		mine[i] = now[i].value - (is_of_strangers(&now[i]) ? 0 : b->counters[i].value);
	all = session_gather(s, mine, sizeof(mine));
	if (!session_is_root(s))
		return;
	sums = json_object();
	for (int i = 0; i < b->ncounters; i++) {
		double sum = 0;

		for (int r = 0; r < s->job->size; r++)
			sum += all[r * COUNTERS_MAX + i];
		if (is_of_strangers(&now[i])) {
			s->sink->counts_strangers = true;
			s->sink->strangers = (uint64_t)sum;
			if (sum > 0)
				sink_warn(s, "backend '%s' refused %.0f messages or connections "
					  "that are not of this run", s->ep->be->name, sum);
		} else {
			json_object_set_new(sums, now[i].name, json_integer((json_int_t)sum));
		}
		if (sum > 0 && now[i].amiss)
			sink_warn(s, "%s: %.0f during the run", now[i].name, sum);
	}
	if (json_object_size(sums))
		json_object_set(s->sink->record.summary, "counters", sums);
	json_decref(sums);
}

/* By how much the clock of any rank has strayed since they were last compared. */
static void compare_clocks(struct session *s)
{
	double mine, worst = 0;
	const double *all;
	int err;

	if (s->sync.scheme != SYNC_WINDOW ||
	    session_is_over(s))        /* after a signal or at the time limit there is no time */
		return;
	err = sync_again(&s->sync, &mine);
	if (err)
		session_abort(s, err);
	all = session_gather(s, &mine, sizeof(mine));
	if (!session_is_root(s))
		return;
	for (int r = 0; r < s->job->size; r++)
		worst = fmax(worst, all[r]);
	json_object_set_new(s->sink->record.summary, "clock_error_s", json_real(s->sync.error_s));
	json_object_set_new(s->sink->record.summary, "clock_closing_error_s", json_real(worst));
}

/* What others did to rank 0's machine, and whether its clock held. */
static void look_after(struct session *s, const struct before *b)
{
	struct used mine = { .cpu_s = cpu_used() - b->cpu_s };
	double own = 0, others, drift = clock_drift();
	const struct used *used;

	if (s->ep->caps & CAP_VIRTUAL)
		return;
	strcpy(mine.machine, local_machine_id());
	used = session_gather(s, &mine, sizeof(mine));
	if (!session_is_root(s))
		return;
	for (int r = 0; r < s->job->size; r++)
		if (!memcmp(used[r].machine, used[0].machine, sizeof(used[r].machine)))
			own += used[r].cpu_s;
	others = others_cores(&b->usage, own);
	json_object_set_new(s->sink->record.summary, "cpu_others_cores", json_real(others));
	if (others > 0.1)
		sink_warn(s, "others used %.2f cores of this machine during the run", others);
	if (fabs(drift) > 1e-4)
		sink_warn(s, "clock '%s' was off by %s against CLOCK_MONOTONIC_RAW over the run",
			  host_clock.name, plain(drift, 2).s);
}

/* Rank 0: closes the results. Yields the run's exit status. */
static int conclude(struct session *s)
{
	int verdict, err = sink_close(s, sink_conclude(s, &verdict));

	return err && (err != ST_NO_READER || !verdict) ? err : verdict;
}

/* In virtual time rank 0 sees to it that all end, also in the middle of a round. */
static bool watches(const struct session *s)
{
	return s->ep->caps & CAP_VIRTUAL && session_is_root(s);
}

static bool is_overdue(void *arg)
{
	const struct session *s = arg;

	return job_stop(s->job) || session_out_of_time(s);
}

/*
 * Measures all that is planned. False on rank 0 of a simulation that its time limit or a signal has
 * cut short in the middle of a round: there are no other ranks any more.
 */
static bool walk_to_end(struct session *s)
{
	jmp_buf back;

	if (watches(s) && _setjmp(back)) {
		s->over = job_stop(s->job) ? STOP_SIGNAL : STOP_TIME_LIMIT;
		return false;
	}
	if (watches(s))
		fibers_watch(job_sim_fibers(s->job), is_overdue, s, &back);
	if (s->plan->what->run)
		s->plan->what->run(s);
	else
		sweep_walk(s);
	if (watches(s))
		fibers_watch(job_sim_fibers(s->job), NULL, NULL, NULL);
	return true;
}

int sweep_run(const struct plan *p, struct job *job, const char *own_options)
{
	struct session s;
	struct before before;
	int err = ST_OK;

	session_open(&s, p, job, own_options);
	look_before(&s, &before);
	s.started_s = clock_wall();
	if (!walk_to_end(&s)) {
		err = conclude(&s);
		fibers_exit(job_sim_fibers(job), err);
	}
	compare_counters(&s, &before);
	compare_clocks(&s);
	look_after(&s, &before);
	if (session_is_root(&s))
		err = conclude(&s);
	session_close(&s);
	return err;
}
