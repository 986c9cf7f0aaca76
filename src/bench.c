/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "config.h"
#include "env.h"
#include "error.h"
#include "job/local.h"
#include "progress.h"
#include "sweep.h"
#include "verify.h"

/* Verified message by message: no more bytes, and no more messages, of a point than this. */
#define VERIFY_BYTES (64U << 20)
#define VERIFY_MESSAGES 65536

/* A pilot begins with one iteration and doubles it until a round lasts this long. */
#define PILOT_S 1e-3

/* Samples of single iterations are counted in picoseconds. */
#define PS 1e-12

/* What each rank says after a round, and what rank 0 decides then. */
struct outcome {
	double seconds;			/* 0 if the rank is not timed */
	double late_s;			/* by which it started too late */
	uint64_t checked, errors;
};

struct decision {
	int stop;			/* enum stop; STOP_NOT: once more */
	int signal;			/* that one of the ranks got, or 0 */
	int failed;			/* rank 0 could not write */
	uint64_t loops;
};

static bool is_root(const struct bench *b)
{
	return b->job->rank == 0;
}

__attribute__((noreturn)) static void give_up(struct bench *b, int status)
{
	b->job->kind->abort(b->job, status);
}

static const void *gather(struct bench *b, const void *mine, size_t len)
{
	return b->job->kind->allgather(b->job, mine, len);
}

/* Rank 0's decision, for all; unless a signal has come to any of them, which then has come to all. */
static struct decision agree(struct bench *b, struct decision mine)
{
	const struct decision *all;
	struct decision d;

	mine.signal = job_stop(b->job);
	all = gather(b, &mine, sizeof(mine));
	d = all[0];
	for (int r = 0; r < b->job->size && !d.signal; r++)
		d.signal = all[r].signal;
	if (d.signal) {
		d.stop = STOP_SIGNAL;
		atomic_store(b->job->stop, d.signal);
	}
	return d;
}

void bench_warn(struct bench *b, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	progress_clear();
	warning("%s", text);
	json_array_append_new(b->record.warnings, json_string(text));
}

/* ---- rows ---- */

void bench_set(const struct bench *b, struct row *row, enum column_id id, struct value v)
{
	for (size_t i = 0; i < b->record.ncols; i++)
		if (b->record.cols[i] == id)
			row_set(row, &b->record, id, v);
}

void bench_fill_common(const struct bench *b, const struct result *res, struct row *row)
{
	bench_set(b, row, COL_SIZE, val_uint(res->pt->size));
	bench_set(b, row, COL_WINDOW, val_uint(res->pt->window));
	bench_set(b, row, COL_BATCH, val_uint(res->pt->batch));
	bench_set(b, row, COL_LOOPS, val_uint(res->loops));
	bench_set(b, row, COL_REPETITIONS, val_uint(res->time.n));
	bench_set(b, row, COL_TIME_MIN, val_real(res->time.min));
	bench_set(b, row, COL_TIME, val_real(res->time.p50));
	bench_set(b, row, COL_TIME_LO, val_real(res->time.lo));
	bench_set(b, row, COL_TIME_HI, val_real(res->time.hi));
	bench_set(b, row, COL_TIME_P90, val_real(res->time.p90));
	bench_set(b, row, COL_TIME_P99, val_real(res->time.p99));
	bench_set(b, row, COL_TIME_MAX, val_real(res->time.max));
	bench_set(b, row, COL_TIME_ACF1, val_real(res->time.acf1));
	bench_set(b, row, COL_STOP, val_text(stop_names[res->stop]));
	bench_set(b, row, COL_CHECKED, val_uint(res->checked));
	bench_set(b, row, COL_ERRORS, val_uint(res->errors));
	bench_set(b, row, COL_LATE, val_uint(res->late));
}

/* ---- one repetition ---- */

/* Builds this rank's round for a point. */
static void build(struct bench *b, const struct point *pt, uint64_t loops)
{
	struct pattern_args args = {
		.rank = b->job->rank, .size = b->job->size, .len = pt->size,
		.window = pt->window, .batch = pt->batch, .pairs = b->job->size / 2, .bufs = b->bufs,
	};

	if (b->what->arguments)
		b->what->arguments(&args);
	round_reset(&b->round);
	if (b->what->pattern->build(&args, &b->round))
		give_up(b, error("no memory for a round"));
	b->round.count = loops;
}

/* Room for a stamp per iteration, on rank 0, touched before the clock runs. */
static void make_stamps(struct bench *b, uint64_t loops)
{
	if (!b->what->stamps || !is_root(b))
		return;
	if (b->room_stamps < loops + 1) {
		free(b->stamps);
		b->stamps = malloc((loops + 1) * sizeof(double));
		b->room_stamps = b->stamps ? loops + 1 : 0;
		if (!b->stamps)
			give_up(b, error("no memory for %llu time stamps", (unsigned long long)loops));
		memset(b->stamps, 0, (loops + 1) * sizeof(double));
	}
}

/*
 * Does b->round on this rank, after all ranks have come here; yields its time. With `late_s` they start as
 * --sync says, and the time counts from the common start.
 */
static double run_round(struct bench *b, double *late_s)
{
	const struct backend *be = b->run->be;
	double seconds, late = 0;
	int err = be->arm ? be->arm(b->ep, &b->round) : ST_OK;

	if (!err && late_s)
		*late_s = late = sync_start(&b->sync);
	else if (!err)
		b->job->kind->barrier(b->job);
	if (!err)
		err = be->run(b->ep, &b->round, &seconds);
	if (err)
		give_up(b, err);
	return seconds + late;
}

/* One iteration that is not timed: it leaves the buffers in the caches as any iteration does. */
static void settle(struct bench *b)
{
	uint64_t count = b->round.count;
	double *stamps = b->round.stamps;

	b->round.count = 1;
	b->round.stamps = NULL;
	run_round(b, NULL);
	b->round.count = count;
	b->round.stamps = stamps;
}

/* One timed round on this rank, with the check of what its last iteration leaves. */
static struct outcome time_round(struct bench *b)
{
	struct outcome mine = { 0 };
	uint64_t seq = b->seq++, stamp = b->seq++;
	bool check = measure_opts.check != CHECK_NONE && b->ep->limits.content_len;

	if (check) {
		verify_prepare(b, &b->round, seq);
		settle(b);
		verify_stamp(b, &b->round, stamp);
	}
	mine.seconds = run_round(b, &mine.late_s);
	if (check)
		mine.errors = verify_check(b, &b->round, seq, stamp, &mine.checked);
	if (!b->round.timed)
		mine.seconds = 0;
	return mine;
}

/* What all ranks have verified. Rank 0. */
static void count_checked(const struct bench *b, const struct outcome *all, struct result *res)
{
	for (int r = 0; r < b->job->size; r++) {
		res->checked += all[r].checked;
		res->errors += all[r].errors;
	}
}

/* A repetition's time. Rank 0. */
static double slowest_rank(const struct bench *b, const struct outcome *all)
{
	double slowest = 0;

	for (int r = 0; r < b->job->size; r++)
		slowest = fmax(slowest, all[r].seconds);
	return slowest;
}

/* A rank that starts late by more than matters makes the repetition late. Rank 0. */
static void count_late(struct bench *b, const struct outcome *all, struct result *res, double slowest,
		       bool keep)
{
	double latest = 0;

	for (int r = 0; r < b->job->size; r++)
		latest = fmax(latest, all[r].late_s);
	sync_learn(&b->sync, latest, slowest);
	res->late += keep && latest > 0.05 * slowest;
}

/* What a repetition that counts leaves of each rank: its best time, and with --samples every time. */
static void keep_ranks(struct bench *b, const struct outcome *all)
{
	json_t *ranks;

	for (int r = 0; r < b->job->size; r++)
		b->rank_best[r] = fmin(b->rank_best[r], all[r].seconds);
	if (!b->rank_times)
		return;
	ranks = json_array();
	for (int r = 0; r < b->job->size; r++)
		json_array_append_new(ranks, all[r].seconds > 0 ? json_real(all[r].seconds) : json_null());
	json_array_append_new(b->rank_times, ranks);
}

static void keep_stamps(struct bench *b)
{
	double scale = b->ep->tick_s / PS;

	for (uint64_t i = 0; i < b->round.count; i++)
		hist_add(b->hist, (uint64_t)fmax(0, (b->stamps[i + 1] - b->stamps[i]) * scale + 0.5));
}

/*
 * One repetition. Its time counts only if `keep`, what it has verified always. Returns its time on rank 0.
 */
static double repeat(struct bench *b, struct result *res, bool keep)
{
	struct outcome mine = time_round(b);
	const struct outcome *all = gather(b, &mine, sizeof(mine));
	double slowest;

	if (!is_root(b))
		return 0;
	slowest = slowest_rank(b, all);
	count_checked(b, all, res);
	count_late(b, all, res, slowest, keep);
	if (!keep)
		return slowest;
	keep_ranks(b, all);
	if (series_push(&res->times, slowest))
		give_up(b, error("no memory for samples"));
	return slowest;
}

/* ---- one point ---- */

/* Time of the quickest of three rounds: one that the system has interrupted says nothing. Rank 0. */
static double quickest(struct bench *b, struct result *res, uint64_t loops)
{
	double best = INFINITY;

	build(b, res->pt, loops);
	for (int i = 0; i < 3; i++)
		best = fmin(best, repeat(b, res, false));
	return best;
}

/* Loops of a round that lasts about ROUND_TARGET_S: doubles from 1 until the time can be judged. */
static uint64_t pilot(struct bench *b, struct result *res)
{
	uint64_t most = b->ep->caps & CAP_VIRTUAL ? VIRTUAL_LOOPS : b->what->max_loops;
	struct decision d = { .stop = STOP_NOT, .loops = 1 };

	if (most > b->ep->limits.max_count)
		most = b->ep->limits.max_count;
	if (b->ep->caps & CAP_VIRTUAL)
		return most;
	while (d.stop == STOP_NOT) {
		double seconds = quickest(b, res, d.loops);

		if (seconds >= PILOT_S || d.loops >= most) {
			d.stop = STOP_POINT_TIME;
			d.loops = plan_loops(ROUND_TARGET_S, seconds / (double)d.loops, most);
		} else {
			d.loops = 2 * d.loops < most ? 2 * d.loops : most;
		}
		d = agree(b, d);
	}
	return d.loops;
}

static uint64_t choose_loops(struct bench *b, struct result *res)
{
	const struct benchmark *what = b->what;
	uint64_t asked = b->asked;

	if (asked == OPT_AUTO) {
		asked = pilot(b, res);
		if (what->asked_from)
			b->asked = asked = what->asked_from(res->pt, asked);
	}
	return what->loops ? what->loops(res->pt, asked) : asked;
}

static bool out_of_time(const struct bench *b)
{
	double from = b->run->limit_from_plan ? b->run->planned_s : b->started_s;

	return measure_opts.time_limit > 0 && clock_wall() - from >= measure_opts.time_limit;
}

/* Whether a point's repetitions are enough; the run's own end comes first. Rank 0. */
static enum stop judge(struct bench *b, const struct result *res, double point_start)
{
	if (out_of_time(b))
		return STOP_TIME_LIMIT;
	return stop_now(&b->run->stopping, &res->times, clock_wall() - point_start);
}

/*
 * One repetition of which the single iterations count, and not its time: what has to read the clock within
 * a round must not slow those that are timed as a whole.
 */
static void repeat_stamped(struct bench *b, struct result *res)
{
	if (is_root(b))
		b->round.stamps = b->stamps;
	repeat(b, res, false);
	b->round.stamps = NULL;
	if (is_root(b))
		keep_stamps(b);
}

/* Repeats the round until rank 0 says stop. */
static enum stop repeat_enough(struct bench *b, struct result *res)
{
	double start = clock_wall();
	struct decision d = { 0 };

	do {
		repeat(b, res, true);
		if (b->what->stamps)
			repeat_stamped(b, res);
		d.stop = is_root(b) ? (int)judge(b, res, start) : 0;
		d = agree(b, d);
		if (is_root(b))
			progress_show(b->npoints_done, b->run->npoints, res->pt->size, res->times.n,
				      clock_wall() - b->started_s);
	} while (d.stop == STOP_NOT);
	return (enum stop)d.stop;
}

/*
 * Outside the clock: one more round as those that were timed, of which every byte that it leaves is checked,
 * and with CHECK_FULL its messages one by one.
 */
static void verify(struct bench *b, const struct point *pt, struct result *res)
{
	uint64_t times = pt->window * res->loops, most = VERIFY_BYTES / (pt->size + 1) + 1;
	uint64_t seq = b->seq++;
	struct outcome mine = { 0 };
	const struct outcome *all;

	if (measure_opts.check == CHECK_NONE || !b->ep->limits.content_len)
		return;
	verify_prepare(b, &b->round, seq);
	run_round(b, NULL);
	mine.errors = verify_check(b, &b->round, seq, seq, &mine.checked);
	most = most < VERIFY_MESSAGES ? most : VERIFY_MESSAGES;
	if (measure_opts.check == CHECK_FULL)
		mine.errors += verify_each(b, times < most ? times : most, &mine.checked);
	all = gather(b, &mine, sizeof(mine));
	if (is_root(b))
		count_checked(b, all, res);
}

static void summarise_point(struct bench *b, struct result *res)
{
	struct summary *i = &res->iteration;

	res->time = summarise(&res->times);
	res->rank_best_s = 0;
	for (int r = 0; r < b->job->size; r++)
		res->rank_best_s = fmax(res->rank_best_s, b->rank_best[r]);
	*i = hist_summary(b->hist);
	i->min *= PS;
	i->p50 *= PS;
	i->p90 *= PS;
	i->p99 *= PS;
	i->p999 *= PS;
	i->max *= PS;
}

/* A clock that steps by more than a tenth of what it is to resolve. */
static void judge_timer(struct bench *b, const struct result *res)
{
	double step = host_clock.resolution_s;
	bool single = b->what->stamps && res->iteration.p50 < 10 * step;

	if (b->warned_timer || b->ep->caps & CAP_VIRTUAL)
		return;
	if (single)
		bench_warn(b, "single iterations of %.3g ns at size %llu are short for a clock that steps "
			   "by %.3g ns: their percentiles are coarse",
			   res->iteration.p50 * 1e9, (unsigned long long)res->pt->size, step * 1e9);
	else if (res->time.min < 100 * step)
		bench_warn(b, "repetitions of %.3g us at size %llu are short for a clock that steps by "
			   "%.3g ns: use more loops",
			   res->time.min * 1e6, (unsigned long long)res->pt->size, step * 1e9);
	b->warned_timer = single || res->time.min < 100 * step;
}

static void add_bucket(void *buckets, uint64_t value, uint64_t count)
{
	json_array_append_new(buckets, json_pack("[f, I]", (double)value * PS, (json_int_t)count));
}

/* Raw samples of a row, for JSON. */
static json_t *samples(struct bench *b, const struct result *res)
{
	json_t *s, *times, *buckets;

	if (!b->rank_times)
		return NULL;
	times = json_array();
	for (size_t i = 0; i < res->times.n; i++)
		json_array_append_new(times, json_real(res->times.s[i]));
	s = json_object();
	json_object_set_new(s, "time_s", times);
	json_object_set(s, "rank_time_s", b->rank_times);
	if (res->iteration.n) {
		buckets = json_array();
		hist_each(b->hist, add_bucket, buckets);
		json_object_set_new(s, "iteration_s_count", buckets);
	}
	return s;
}

/* Rank 0: one row. */
static int report_point(struct bench *b, struct result *res)
{
	struct row row = { 0 };
	int err;

	summarise_point(b, res);
	judge_timer(b, res);
	bench_fill_common(b, res, &row);
	b->what->fill(b, res, &row);
	row.samples = samples(b, res);
	progress_clear();
	err = report_row(b->report, &b->record, &row);
	json_decref(row.samples);
	b->errors += res->errors;
	b->npoints_done++;
	return err;
}

static void point_begin(struct bench *b)
{
	if (!is_root(b))
		return;
	hist_clear(b->hist);
	for (int r = 0; r < b->job->size; r++)
		b->rank_best[r] = INFINITY;
	if (b->rank_times)
		json_array_clear(b->rank_times);
}

/* Rounds that do not count, unless the run is to end. */
static void warm_up(struct bench *b, struct result *res)
{
	struct decision d = { 0 };

	for (uint64_t i = 0; i < b->run->warmup && d.stop == STOP_NOT; i++) {
		repeat(b, res, false);
		d.stop = is_root(b) && out_of_time(b) ? STOP_TIME_LIMIT : STOP_NOT;
		d = agree(b, d);
	}
}

/* Measures one point. Returns why it ended; STOP_SIGNAL and STOP_TIME_LIMIT end the sweep. */
static struct decision measure(struct bench *b, const struct point *pt)
{
	struct result res = { .pt = pt };
	struct decision d = { 0 };
	double strayed;
	int err = sync_again(&b->sync, &strayed);

	if (err)
		give_up(b, err);
	res.loops = choose_loops(b, &res);
	build(b, pt, res.loops);
	make_stamps(b, res.loops);
	warm_up(b, &res);
	point_begin(b);
	res.stop = repeat_enough(b, &res);
	if (res.stop != STOP_SIGNAL) {
		if (res.stop != STOP_TIME_LIMIT)
			verify(b, pt, &res);
		if (is_root(b)) {
			b->write_failed |= report_point(b, &res) != ST_OK;
			d.failed = report_is_dead(b->report);
		}
	}
	series_free(&res.times);
	d.stop = (int)res.stop;
	return agree(b, d);
}

/* ---- the sweep ---- */

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
		give_up(b, err);
	all = gather(b, &mine, sizeof(mine));
	for (int r = 0; r < b->job->size; r++)
		worst = fmax(worst, all[r]);
	if (is_root(b) && b->sync.scheme == SYNC_WINDOW) {
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
	all = gather(b, mine, sizeof(mine));
	if (!is_root(b))
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

/* Rank 0, after the last point: how it ended. */
static int conclude(struct bench *b, struct decision last)
{
	size_t missing = b->run->npoints - b->npoints_done;
	int err;

	progress_clear();
	if (!(b->ep->caps & CAP_VIRTUAL))
		json_object_set_new(b->record.summary, "elapsed_s", json_real(clock_wall() - b->started_s));
	if (last.stop == STOP_TIME_LIMIT && missing)
		bench_warn(b, "time limit of %g s reached: %zu of %zu points measured",
			   measure_opts.time_limit, b->npoints_done, b->run->npoints);
	b->record.status = last.stop == STOP_SIGNAL || job_stop(b->job) ? "interrupted"
			   : b->errors || b->write_failed ? "failed"
			   : missing			  ? "incomplete"
							  : "complete";
	if (b->what->finish)
		b->what->finish(b);
	if (b->footer[0] && strcmp(b->record.status, "complete"))
		snprintf(b->footer + strlen(b->footer), sizeof(b->footer) - strlen(b->footer),
			 "\nthe run is %s: %zu of %zu points measured, %llu messages wrong", b->record.status,
			 b->npoints_done, b->run->npoints, (unsigned long long)b->errors);
	if (b->footer[0])
		b->record.footer = b->footer;
	if (b->errors)
		error("%llu messages arrived with wrong content", (unsigned long long)b->errors);
	err = report_end(b->report, &b->record);
	return err || b->write_failed || b->errors ? ST_FAILED : ST_OK;
}

int sweep(struct bench *b)
{
	struct decision d = { 0 };
	double before = cpu_used();
	struct load load;
	struct used mine = { 0 };
	const struct used *used;
	int err = ST_OK;

	env_load_start(&load);
	b->asked = b->what->loops_asked();
	b->started_s = clock_wall();
	start_counters(b);
	for (size_t i = 0; i < b->run->npoints; i++) {
		d = measure(b, &b->run->points[i]);
		if (d.failed || d.stop == STOP_SIGNAL || d.stop == STOP_TIME_LIMIT)
			break;
	}
	close_counters(b);
	if (d.stop != STOP_SIGNAL && d.stop != STOP_TIME_LIMIT)	/* who is in a hurry goes without */
		close_sync(b);
	mine.cpu_s = cpu_used() - before;
	strcpy(mine.machine, machine_id());
	used = gather(b, &mine, sizeof(mine));
	if (!is_root(b))
		return ST_OK;
	if (!(b->ep->caps & CAP_VIRTUAL))
		look_back(b, &load, used);
	err = conclude(b, d);
	return err;
}
