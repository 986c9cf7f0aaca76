/* SPDX-License-Identifier: Apache-2.0 */
/* All points of a run on one rank, and what is said of them together. */
#include "measure/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "host/record.h"
#include "base/error.h"
#include "job/local.h"
#include "measure/progress.h"

/* What a rank has used of which machine. */
struct used {
	double cpu_s;
	char machine[MACHINE_ID];
};

/* What others did to rank 0's machine, and whether the clock held. Rank 0. */
static void look_back(struct bench *b, const struct load *load, const struct used *used)
{
	double own = 0, others, drift = clock_drift();

	for (int r = 0; r < b->job->size; r++)
		if (!memcmp(used[r].machine, used[0].machine, sizeof(used[r].machine)))
			own += used[r].cpu_s;
	others = env_load_others(load, own);
	json_object_set_new(b->record.summary, "cpu_others_cores", json_real(others));
	if (others > 0.1)
		bench_warn(b, "others used %.2f cores of this machine during the run", others);
	if (fabs(drift) > 1e-4)
		bench_warn(b, "clock '%s' was off by %.2g against CLOCK_MONOTONIC_RAW over the run",
			   host_clock.name, drift);
}

/* Clocks at the end of the run: by how much that of any rank has strayed since they were last compared. */
static void close_sync(struct bench *b)
{
	double mine, worst = 0;
	const double *all;
	int err = sync_again(&b->sync, &mine);

	if (err)
		bench_give_up(b, err);
	all = bench_gather(b, &mine, sizeof(mine));
	for (int r = 0; all && r < b->job->size; r++)
		worst = fmax(worst, all[r]);
	if (bench_is_root(b) && b->sync.scheme == SYNC_WINDOW) {
		json_object_set_new(b->record.summary, "clock_error_s", json_real(b->sync.error_s));
		json_object_set_new(b->record.summary, "clock_closing_error_s", json_real(worst));
	}
}

static void start_counters(struct bench *b)
{
	b->ncounters = b->run->be->counters ? b->run->be->counters(b->ep, b->counters) : 0;
}

/* What the endpoints of all ranks have counted since the start. */
static void close_counters(struct bench *b)
{
	struct counter now[COUNTERS_MAX];
	double mine[COUNTERS_MAX] = { 0 };
	const double *all;
	json_t *sums;

	if (!b->ncounters)
		return;
	b->run->be->counters(b->ep, now);
	for (int i = 0; i < b->ncounters; i++)
		mine[i] = now[i].value - b->counters[i].value;
	all = bench_gather(b, mine, sizeof(mine));
	if (!bench_is_root(b))
		return;
	sums = json_object();
	for (int i = 0; i < b->ncounters; i++) {
		double sum = 0;

		for (int r = 0; r < b->job->size; r++)
			sum += all[r * COUNTERS_MAX + i];
		json_object_set_new(sums, now[i].name, json_integer((json_int_t)sum));
		if (sum > 0 && now[i].amiss)
			bench_warn(b, "%s: %.0f during the run", now[i].name, sum);
	}
	json_object_set_new(b->record.summary, "counters", sums);
}

static double cpu_used(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_utime.tv_sec + (double)u.ru_stime.tv_sec +
	       1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* How far what was measured is from what the model said. Rank 0. */
static void sum_up_predictions(struct bench *b)
{
	double middle = summarise(&b->deviations).p50;

	json_object_set_new(b->record.summary, "prediction",
			    json_pack("{s:I, s:f, s:f, s:I}", "points", (json_int_t)b->deviations.n, "deviation_p50", middle,
				      "deviation_max", b->worst_deviation, "deviation_max_size_B", (json_int_t)b->worst_size));
	bench_footer(b, "\nbeside %s: %zu points, off by %.2g %% in the median, by %.2g %% at most (%llu B)",
		     b->rdma ? "the RDMA form" : "LogGP", b->deviations.n, 100 * middle, 100 * b->worst_deviation, (unsigned long long)b->worst_size);
}

/* Rank 0, after the last point: how it ended. */
static int conclude(struct bench *b, struct decision last)
{
	size_t missing = b->run->npoints > b->npoints_done ? b->run->npoints - b->npoints_done : 0;
	bool nothing = b->nleft_out && b->nleft_out == b->npoints_done;
	int err;

	progress_clear();
	if (!(b->ep->caps & CAP_VIRTUAL))
		json_object_set_new(b->record.summary, "elapsed_s", json_real(clock_wall() - b->started_s));
	if (last.stop == STOP_TIME_LIMIT && missing)
		bench_warn(b, "time limit of %g s reached: %zu of %zu points measured",
			   measure_opts.time_limit, b->npoints_done, b->run->npoints);
	b->record.status = last.stop == STOP_SIGNAL || job_stop(b->job) ? "interrupted"
			   : b->errors || b->write_failed ? "failed"
			   : missing || nothing		  ? "incomplete"
							  : "complete";
	if (b->what->finish)
		b->what->finish(b);
	if (b->deviations.n)
		sum_up_predictions(b);
	if (b->footer && strcmp(b->record.status, "complete"))
		bench_footer(b, "\nthe run is %s: %zu of %zu points measured, %llu messages wrong", b->record.status,
			 b->npoints_done, b->run->npoints, (unsigned long long)b->errors);
	b->record.footer = b->footer;
	if (b->errors)
		error_report("%llu messages arrived with wrong content", (unsigned long long)b->errors);
	err = report_end(b->report, &b->record);
	if (nothing && !err)
		return error_unavailable("nothing could be measured: %s", b->why_left_out + strlen("n/a: "));
	return err || b->write_failed || b->errors ? ST_FAILED : ST_OK;
}

/* A point that the benchmark wants beside those planned, the same on all ranks; false: none. */
static bool ask_for_more(struct bench *b, struct point *pt)
{
	struct request_more {
		bool any;
		size_t like;
		uint64_t size;
	} mine = { 0 };

	if (!b->what->more)
		return false;
	if (bench_is_root(b))
		mine.any = b->what->more(b, &mine.like, &mine.size);
	b->job->kind->bcast(b->job, &mine, sizeof(mine));
	if (mine.any) {
		*pt = b->run->points[mine.like];
		pt->size = mine.size;
	}
	return mine.any;
}

static bool is_over(const struct decision *d)
{
	return d->failed || d->stop == STOP_SIGNAL || d->stop == STOP_TIME_LIMIT;
}

int sweep(struct bench *b)
{
	struct point pt;
	struct decision d = { 0 };
	double before = cpu_used();
	struct load load;
	struct used mine = { 0 };
	const struct used *used;
	int err = ST_OK;

	if (bench_is_root(b) && !(b->ep->caps & CAP_VIRTUAL))
		env_load_start(&load);
	b->asked = b->what->loops_asked();
	b->started_s = clock_wall();
	start_counters(b);
	for (size_t i = 0; i < b->run->npoints; i++) {
		d = sweep_point(b, &b->run->points[i]);
		if (is_over(&d))
			break;
	}
	while (!is_over(&d) && ask_for_more(b, &pt))
		d = sweep_point(b, &pt);
	close_counters(b);
	if (d.stop != STOP_SIGNAL && d.stop != STOP_TIME_LIMIT)	/* who is in a hurry goes without */
		close_sync(b);
	mine.cpu_s = cpu_used() - before;
	strcpy(mine.machine, machine_id());
	used = bench_gather(b, &mine, sizeof(mine));
	if (!bench_is_root(b))
		return ST_OK;
	if (!(b->ep->caps & CAP_VIRTUAL))
		look_back(b, &load, used);
	err = conclude(b, d);
	return err;
}
