/* SPDX-License-Identifier: Apache-2.0 */
/* One point on one rank: loops, warm-up, repetitions, what they leave, its row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/bench.h"
#include "base/error.h"
#include "base/histogram.h"
#include "measure/progress.h"
#include "measure/shape.h"
#include "measure/sweep.h"
#include "measure/verify.h"

/* Verified message by message: no more bytes, and no more messages, of a point than this. */
#define VERIFY_BYTES (64U << 20)
#define VERIFY_MESSAGES 65536

/* A pilot begins with one iteration and doubles it until a round lasts this long. */
#define PILOT_S 1e-3

/* A computing task is watched for so long to know how fast it is without communication. */
#define ALONE_S 50e-3

/* And at least so long beside it, if the point's time allows. */
#define WORK_S 20e-3

/* Samples of single iterations are counted in picoseconds. */
#define PS 1e-12

/* What each rank says after a round. */
struct outcome {
	double seconds;			/* 0 if the rank is not timed */
	double late_s;			/* by which it started too late */
	uint64_t start;			/* of its round, clock_count */
	double work, work_s;		/* what its computing task did, in which time; 0 without one */
	uint64_t checked, errors;
};

/* ---- one repetition ---- */

static bool wants_stamps(const struct bench *b)
{
	return (b->what->stamps && b->ep->caps & CAP_STAMPS) || b->shape.farm;
}

/* Room for a stamp per iteration, on rank 0, touched before the clock runs. */
static void make_stamps(struct bench *b, uint64_t loops)
{
	if (!wants_stamps(b) || !bench_is_root(b))
		return;
	if (b->room_stamps < loops + 1) {
		free(b->stamps);
		b->stamps = malloc((loops + 1) * sizeof(double));
		b->room_stamps = b->stamps ? loops + 1 : 0;
		if (!b->stamps)
			bench_give_up(b, error_report("no memory for %llu time stamps", (unsigned long long)loops));
		memset(b->stamps, 0, (loops + 1) * sizeof(double));
	}
}

/* One iteration that is not timed: it leaves the buffers in the caches as any iteration does. */
static void settle(struct bench *b)
{
	uint64_t count = b->round.count;
	double *stamps = b->round.stamps;

	b->round.count = 1;
	b->round.stamps = NULL;
	shape_run(b, NULL);
	b->round.count = count;
	b->round.stamps = stamps;
}

/* One timed round on this rank, with the check of what its last iteration leaves. */
static struct outcome time_round(struct bench *b)
{
	struct outcome mine = { 0 };
	uint64_t seq = b->seq++, stamp = b->seq++;
	bool check = measure_opts.check != CHECK_NONE && b->ep->limits.content_len && !b->shape.farm;

	if (check) {
		verify_prepare(b, &b->round, seq);
		settle(b);
		verify_stamp(b, &b->round, stamp);
	}
	mine.seconds = shape_run(b, &mine.late_s);
	mine.start = b->round_start;
	mine.work = b->work_done;
	mine.work_s = b->load ? mine.seconds * endpoint_slowdown(b->ep) : 0;
	if (check)
		mine.errors = verify_check(b, &b->round, seq, stamp, &mine.checked);
	if (b->shape.farm)
		mine.checked = farm_verdict(b->shape.farm, &mine.errors);
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

/* From rank 0's start to the end of the last rank, whenever the others started. Rank 0. */
static double since_root(const struct bench *b, const struct outcome *all)
{
	double last = 0;

	for (int r = 0; r < b->job->size; r++)
		if (all[r].seconds > 0)
			last = fmax(last, (double)(int64_t)(all[r].start - all[0].start) * host_clock.tick_s + all[r].seconds);
	return last;
}

/* A repetition's time. Rank 0. */
static double slowest_rank(const struct bench *b, const struct point *pt, const struct outcome *all)
{
	double slowest = 0;

	if (b->one_clock && shape_pattern(b->what, pt)->from_root)
		return since_root(b, all);
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

static void keep_work(struct bench *b, const struct outcome *all)
{
	for (int r = 0; r < b->job->size; r++) {
		b->work[r].units += all[r].work;
		b->work[r].seconds += all[r].work_s;
	}
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
	struct outcome mine;
	const struct outcome *all;
	double slowest;

	if (b->what->redraws && b->what->redraws(res->pt))
		shape_build(b, res->pt, b->round.count);
	mine = time_round(b);
	all = bench_gather(b, &mine, sizeof(mine));
	if (!bench_is_root(b))
		return 0;
	slowest = slowest_rank(b, res->pt, all);
	count_checked(b, all, res);
	count_late(b, all, res, slowest, keep);
	if (!keep)
		return slowest;
	keep_ranks(b, all);
	keep_work(b, all);
	if (series_push(&res->times, slowest))
		bench_give_up(b, error_report("no memory for samples"));
	return slowest;
}

/* ---- one point ---- */

/* Time of the quickest of three rounds: one that the system has interrupted says nothing. Rank 0. */
static double quickest(struct bench *b, struct result *res, uint64_t loops)
{
	double best = INFINITY;

	shape_build(b, res->pt, loops);
	for (int i = 0; i < 3; i++)
		best = fmin(best, repeat(b, res, false));
	return best;
}

static double round_target(const struct bench *b)
{
	double target = b->shape.farm ? FARM_TARGET_S : b->what->round_s > 0 ? b->what->round_s : ROUND_TARGET_S;

	return target / endpoint_slowdown(b->ep);
}

/* Loops of a round that lasts about ROUND_TARGET_S: doubles from 1 until the time can be judged. */
static uint64_t pilot(struct bench *b, struct result *res)
{
	uint64_t most = b->ep->limits.max_count < b->what->max_loops ? b->ep->limits.max_count : b->what->max_loops;
	struct decision d = { .stop = STOP_NOT, .loops = 1 };

	if (b->ep->caps & CAP_VIRTUAL)
		return shape_virtual_loops(b->what, res->pt, b->job->size, most);
	while (d.stop == STOP_NOT) {
		double seconds = quickest(b, res, d.loops);

		if (seconds >= fmin(PILOT_S / endpoint_slowdown(b->ep), round_target(b) / 5) || d.loops >= most) {
			d.stop = STOP_POINT_TIME;
			d.loops = plan_loops(round_target(b), seconds / (double)d.loops, most);
		} else {
			d.loops = 2 * d.loops < most ? 2 * d.loops : most;
		}
		d = bench_agree(b, d);
	}
	return d.loops;
}

static uint64_t choose_loops(struct bench *b, struct result *res)
{
	const struct benchmark *what = b->what;
	uint64_t asked = b->asked;

	if (asked == OPT_AUTO && shape_pattern(what, res->pt)->loops) {
		asked = shape_pattern(what, res->pt)->loops;
	} else if (asked == OPT_AUTO) {
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

/* For how long the computing task of any rank has been watched. Rank 0. */
static double longest_work(const struct bench *b)
{
	double most = 0;

	for (int r = 0; r < b->job->size; r++)
		most = fmax(most, b->work[r].seconds);
	return most;
}

/* Whether a point's repetitions are enough; the run's own end comes first. Rank 0. */
static enum stop judge(struct bench *b, const struct result *res, double point_start)
{
	if (out_of_time(b))
		return STOP_TIME_LIMIT;
	if (res->pt->load && longest_work(b) < WORK_S &&
	    (measure_opts.point_time <= 0 || clock_wall() - point_start < measure_opts.point_time) &&
	    res->times.n < b->run->stopping.max)
		return STOP_NOT;
	return stop_now(&b->run->stopping, &res->times, clock_wall() - point_start);
}

/*
 * One repetition of which the single iterations count, and not its time: what has to read the clock within
 * a round must not slow those that are timed as a whole.
 */
static void repeat_stamped(struct bench *b, struct result *res)
{
	if (bench_is_root(b))
		b->round.stamps = b->stamps;
	b->observed = true;
	repeat(b, res, false);
	b->observed = false;
	b->round.stamps = NULL;
	if (bench_is_root(b))
		keep_stamps(b);
}

/* Repeats the round until rank 0 says stop. */
static enum stop repeat_enough(struct bench *b, struct result *res)
{
	double start = clock_wall();
	struct decision d = { 0 };

	do {
		repeat(b, res, true);
		if (wants_stamps(b))
			repeat_stamped(b, res);
		d.stop = bench_is_root(b) ? (int)judge(b, res, start) : 0;
		d = bench_agree(b, d);
		if (bench_is_root(b))
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

	if (measure_opts.check == CHECK_NONE || !b->ep->limits.content_len || b->shape.farm)
		return;
	verify_prepare(b, &b->round, seq);
	shape_run(b, NULL);
	mine.errors = verify_check(b, &b->round, seq, seq, &mine.checked);
	most = most < VERIFY_MESSAGES ? most : VERIFY_MESSAGES;
	if (b->ep->caps & CAP_VIRTUAL)		/* all ranks' messages are one process's work */
		most = shape_virtual_loops(b->what, pt, b->job->size, most);
	if (measure_opts.check == CHECK_FULL && !pt->brief)
		mine.errors += verify_each(b, times < most ? times : most, &mine.checked);
	all = bench_gather(b, &mine, sizeof(mine));
	if (bench_is_root(b))
		count_checked(b, all, res);
}

/* The same point without a computing task, which was measured before. */
static double unloaded(const struct bench *b, const struct point *pt)
{
	for (size_t i = 0; i < b->npoints_done; i++) {
		const struct point *p = &b->run->points[i];

		if (!p->load && p->setup == pt->setup && p->size == pt->size && p->window == pt->window)
			return b->medians[i];
	}
	return NAN;
}

static double work_rate(const struct bench *b)
{
	double sum = 0;

	for (int r = 0; r < b->job->size; r++)
		if (b->work[r].seconds > 0)
			sum += b->work[r].units / b->work[r].seconds;
	return sum;
}

static void summarise_point(struct bench *b, struct result *res)
{
	struct summary *i = &res->iteration;

	res->time = summarise(&res->times);
	res->rank_best_s = 0;
	for (int r = 0; r < b->job->size; r++)
		res->rank_best_s = fmax(res->rank_best_s, b->rank_best[r]);
	res->unloaded_s = res->pt->load ? unloaded(b, res->pt) : NAN;
	res->work_alone = b->work_alone;
	res->work_during = work_rate(b);
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
	double step = host_clock.resolution_s / endpoint_slowdown(b->ep);
	bool single = wants_stamps(b) && res->iteration.p50 < 10 * step;

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

/* What the model says of the same, and how far it is from that. */
static void predict(struct bench *b, const struct result *res, struct row *row)
{
	struct observation o = { .size = res->pt->size, .window = res->pt->window, .batch = res->pt->batch,
				 .loops = res->loops, .benchmark = "", .algorithm = "" };
	double model, off;

	if (!measure_opts.predict || res->pt->load || !b->what->observe(b, res, &o))
		return;
	model = b->rdma ? predict_rdma(&o, b->rdma) : predict_by_size(&o, &measure_opts.pieces);
	off = fabs(o.measured / model - 1);
	bench_set(b, row, COL_MODEL_TIME, val_real(model));
	bench_set(b, row, COL_RATIO, val_real(o.measured / model));
	if (!isfinite(off))
		return;
	if (series_push(&b->deviations, off))
		bench_give_up(b, error_report("no memory for samples"));
	if (off >= b->worst_deviation) {
		b->worst_deviation = off;
		b->worst_size = res->pt->size;
	}
}

/* Rank 0: one row. */
static int report_point(struct bench *b, struct result *res)
{
	struct row row = { 0 };
	int err;

	summarise_point(b, res);
	b->errors += res->errors;
	if (b->what->collect) {
		b->what->collect(b, res);
		b->npoints_done++;
		return ST_OK;
	}
	b->medians[b->npoints_done] = res->time.p50 / (double)res->loops;
	judge_timer(b, res);
	bench_fill_common(b, res, &row);
	b->what->fill(b, res, &row);
	predict(b, res, &row);
	row.samples = samples(b, res);
	progress_clear();
	err = report_row(b->report, &b->record, &row);
	json_decref(row.samples);
	b->npoints_done++;
	return err;
}

static void point_begin(struct bench *b)
{
	if (!bench_is_root(b))
		return;
	hist_clear(b->hist);
	for (int r = 0; r < b->job->size; r++)
		b->rank_best[r] = INFINITY;
	memset(b->work, 0, (size_t)b->job->size * sizeof(*b->work));
	if (b->rank_times)
		json_array_clear(b->rank_times);
}

/* Rounds that do not count, unless the run is to end. */
static void warm_up(struct bench *b, struct result *res)
{
	struct decision d = { 0 };

	for (uint64_t i = 0; i < b->run->warmup && d.stop == STOP_NOT; i++) {
		repeat(b, res, false);
		d.stop = bench_is_root(b) && out_of_time(b) ? STOP_TIME_LIMIT : STOP_NOT;
		d = bench_agree(b, d);
	}
}

/* ---- beside the communication ---- */

/* True if a point is the first of those that differ in their size alone. */
static bool begins_series(const struct bench *b, const struct point *pt)
{
	return pt == b->run->points || pt[-1].setup != pt->setup || pt[-1].load != pt->load;
}

/* Starts the computing task where the point wants one, and sees how fast all of them are on their own. Collective. */
static void start_load(struct bench *b, const struct point *pt)
{
	double mine = 0;
	const double *all;

	if (!pt->load)
		return;
	if (pt->load & b->round.roles && !(b->load = load_start()))
		bench_give_up(b, ST_FAILED);
	if (!begins_series(b, pt))
		return;
	b->job->kind->barrier(b->job);
	mine = load_alone(b->load, ALONE_S);
	all = bench_gather(b, &mine, sizeof(mine));
	b->work_alone = 0;
	for (int r = 0; all && r < b->job->size; r++)
		b->work_alone += all[r];
}

static void end_load(struct bench *b)
{
	if (b->load && bench_is_root(b))
		json_object_set_new(b->record.summary, "load_priority", json_string(load_priority()));
	load_stop(b->load);
	b->load = NULL;
}

/* What the ranks of a farm did, by role; all ranks. */
static void tally_roles(struct bench *b, struct result *res)
{
	struct mine {
		struct farm_tally did;
		enum farm_role role;
	} mine = { .role = FARM_ROLES };
	const struct mine *all;
	double longest = 0;

	if (!b->shape.farm)
		return;
	mine.did = farm_tally(b->shape.farm, &mine.role);
	all = bench_gather(b, &mine, sizeof(mine));
	if (!all)
		return;
	for (int r = 0; r < b->job->size; r++)
		longest = fmax(longest, all[r].did.total_s);
	for (int r = 0; r < b->job->size; r++) {
		struct farm_tally did = all[r].did;

		did.waited_s += longest - did.total_s;	/* who was done sooner had to wait for the others */
		did.total_s = longest;
		if (all[r].role != FARM_ROLES)
			farm_tally_add(&res->roles[all[r].role], &did);
	}
}

/* ---- points that cannot be ---- */

/* Why a point cannot be measured here; NULL: it can. The same on all ranks. */
static const char *lacks(const struct bench *b, const struct point *pt, char *why, size_t len)
{
	const char *missing = cap_name(shape_pattern(b->what, pt)->needs & ~b->ep->caps);

	if (pt->ranks > b->job->size)
		snprintf(why, len, "n/a: needs %d ranks, have %d", pt->ranks, b->job->size);
	else if (missing)
		snprintf(why, len, "n/a: needs '%s', which %s does not offer", missing, b->run->be->name);
	else
		return b->what->lacks ? b->what->lacks(b, pt) : NULL;
	return why;
}

/* Its row says why. */
static struct decision leave_out(struct bench *b, const struct point *pt, const char *why)
{
	struct result res = { .pt = pt };
	struct decision d = { 0 };
	struct row row = { 0 };

	if (bench_is_root(b) && b->what->collect) {	/* its rows are of more than a point */
		b->npoints_done++;
	} else if (bench_is_root(b)) {
		bench_set(b, &row, COL_SIZE, val_uint(pt->size));
		bench_set(b, &row, COL_NOTE, val_text(why));
		b->what->fill(b, &res, &row);
		b->medians[b->npoints_done++] = NAN;
		b->nleft_out++;
		if (!b->why_left_out[0])
			snprintf(b->why_left_out, sizeof(b->why_left_out), "%s", why);
		progress_clear();
		b->write_failed |= report_row(b->report, &b->record, &row) != ST_OK;
		d.failed = report_is_dead(b->report);
	}
	return bench_agree(b, d);
}

struct decision sweep_point(struct bench *b, const struct point *pt)
{
	struct result res = { .pt = pt };
	struct decision d = { 0 };
	char room[80];
	const char *why = lacks(b, pt, room, sizeof(room));
	double strayed;
	int err;

	if (why)
		return leave_out(b, pt, why);
	err = sync_again(&b->sync, &strayed);
	if (err)
		bench_give_up(b, err);
	shape_build(b, pt, 1);
	start_load(b, pt);
	res.loops = choose_loops(b, &res);
	shape_build(b, pt, res.loops);
	make_stamps(b, res.loops);
	warm_up(b, &res);
	point_begin(b);
	res.stop = repeat_enough(b, &res);
	end_load(b);
	tally_roles(b, &res);
	if (res.stop != STOP_SIGNAL) {
		if (res.stop != STOP_TIME_LIMIT)
			verify(b, pt, &res);
		if (bench_is_root(b)) {
			b->write_failed |= report_point(b, &res) != ST_OK;
			d.failed = report_is_dead(b->report);
		}
	}
	series_free(&res.times);
	d.stop = (int)res.stop;
	return bench_agree(b, d);
}
