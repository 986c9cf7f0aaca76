/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/sort.h"
#include "measure/sink/sink.h"
#include "measure/part.h"
#include "measure/plan/program.h"
#include "measure/verify/choice.h"
#include "measure/verify/pass.h"
#include "measure/verify/verify.h"

/* Verified message by message: no more bytes, and no more messages, of a spec than this. */
#define VERIFY_BYTES (64U << 20)
#define VERIFY_MESSAGES 65536

/* A pilot begins with one iteration and doubles it until a round lasts this long. */
#define PILOT_S 1e-3
#define PILOT_STEP 4	/* from there it has up to so many times as many at once */
#define FAR 4		/* so many times the time expected is not the system's usual noise */

/* A computing task is watched for so long to know how fast it is without communication. */
#define ALONE_S 50e-3

/* And at least so long beside it, if the point's time allows. */
#define WORK_S 20e-3

/* The interval of a slowdown: parts of the repetitions, and draws from them. */
#define PARTS_LEAST 6
#define PARTS_MOST 20
#define DRAWS 4000

/* What each rank says after a round. */
struct outcome {
	double seconds;			/* 0 if the rank is not timed, or lost its peer */
	enum { GONE, WHOLE, LONELY } rank;	/* it is lost (zeros); or not; or its peer is */
	double late_s;			/* by which it started too late */
	double apart_s;			/* what counts of them if ranks' times are kept apart */
	uint64_t start;			/* of its round, clock_count */
	struct work work;		/* of its computing task; 0 without one */
	uint64_t checked, errors;
	int signal;			/* that it got, or 0 */
};

/* What a point may take of the run's time, s; the same on all ranks. */
struct share {
	double repetitions_s;	/* 0: any time */
	double longest_s;	/* with pilot and checks, if it is slow; 0: any time */
	double pilot_s;		/* INFINITY: any time */
};

/* What goes on while a spec is measured. */
struct run {
	struct session *s;
	struct spec spec;		/* with the window that is measured */
	struct result *res;
	double begin_s, start_s;	/* of the point and of its repetitions, clock_wall */
	struct share share;		/* of the run's time */
	double slow_s;			/* rank 0: of a repetition, if that takes long, else 0 */
	/* rounds as they are: without an iteration before them and messages one by one behind */
	bool plain;
	int signal;			/* rank 0: what a rank got in the last repetition, or 0 */
	bool empty;			/* rank 0: nothing was timed in it, as peers are lost */
};

/* ---- one repetition ---- */

static bool has_stamps(const struct session *s, const struct spec *spec)
{
	if (spec->rank_times && s->ep->caps & CAP_VIRTUAL)
		return false;
	return spec->pattern->program || (spec->stamps && s->ep->caps & CAP_STAMPS);
}

/* One iteration that is not timed: it leaves the buffers in the caches as any iteration does. */
static void touch_buffers(struct session *s)
{
	struct round *r = &s->part.round;
	uint64_t count = r->count;
	double *stamps = r->stamps;

	r->count = 1;
	r->stamps = NULL;
	part_run(s, NULL);
	r->count = count;
	r->stamps = stamps;
}

static bool is_verified(const struct session *s)
{
	return s->settings->m.verify != VERIFY_NONE && s->ep->limits.content_len &&
	       !s->part.pattern->program;
}

/*
 * One timed round on this rank, with the check of all that it leaves, which is what the last
 * iteration does, or every message. Then each transfer of an iteration is done once more with other
 * content: if a message was lost or is left over, that which comes is not the one that must; where
 * rounds are plain, the next round or the end of the point finds it.
 */
static struct outcome time_round(struct session *s, bool plain)
{
	struct part *part = &s->part;
	struct outcome mine = { .signal = job_stop(s->job) };
	bool verified = is_verified(s), check = verified && !part->timed;
	bool whole = part->round.each || plain || s->ep->caps & CAP_MAKES;
	uint64_t seq = s->seq++, stamp = whole ? seq : s->seq++;

	if (check)
		verify_prepare(s, &part->round, seq);
	if (check && !whole) {
		touch_buffers(s);
		verify_stamp(s, &part->round, stamp);
	}
	mine.seconds = part_run(s, &mine.late_s);
	mine.start = part->last.start;
	mine.rank = part->lost ? LONELY : WHOLE;
	if (s->computing.task)
		mine.work = (struct work){ part->last.work, mine.seconds * endpoint_slowdown(s->ep),
					   part->last.processor_s, part->last.around_s };
	if (check && !part->lost)
		mine.errors = verify_check(s, &part->round, seq, stamp, &mine.checked);
	if (part->timed) {
		mine.checked = part->each.checked;
		mine.errors = part->each.errors;
	}
	if (verified && !plain)
		mine.errors += verify_each(s, 1, &mine.checked);
	if (part->pattern->program)
		mine.checked = part->pattern->program->verdict(part->state, &mine.errors);
	if (!part->round.timed || part->lost)
		mine.seconds = 0;
	mine.apart_s = mine.seconds;
	return mine;
}

/* The time of a round by its iterations, each of which counts as the median or the least does. */
static double by_iterations(const struct session *s, enum rank_times times)
{
	const struct round *r = &s->part.round;
	double *t = r->stamps;

	for (uint64_t i = 0; i < r->count; i++)
		t[i] = (t[i + 1] - t[i]) * s->ep->tick_s;
	return (double)r->count *
	       (times == RANKS_LEAST ? select_double(t, r->count, 0) : median(t, r->count));
}

/* From rank 0's start to the end of the last rank, whenever the others started. Rank 0. */
static double since_root(const struct session *s, const struct outcome *all)
{
	double last = 0;

	for (int r = 0; r < s->job->size; r++)
		if (all[r].seconds > 0)
			last = fmax(last, host_clock.tick_s *
						  (double)(int64_t)(all[r].start - all[0].start) +
					  all[r].seconds);
	return last;
}

/* Rank 0: a repetition's time, and what the ranks have verified in it. */
static double take_outcomes(struct run *run, const struct outcome *all, bool keep)
{
	struct session *s = run->s;
	struct result *res = run->res;
	double slowest = 0, latest = 0;

	run->signal = 0;
	run->empty = false;
	for (int r = 0; r < s->job->size; r++) {
		run->empty |= all[r].rank != WHOLE;
		slowest = fmax(slowest, all[r].seconds);
		latest = fmax(latest, all[r].late_s);
		res->checked += all[r].checked;
		res->errors += all[r].errors;
		run->signal = run->signal ? run->signal : all[r].signal;
	}
	run->empty &= !(slowest > 0);
	if (run->spec.pattern->from_root && s->sink->one_clock)
		slowest = since_root(s, all);
	sync_learn(&s->sync, latest, slowest);
	/* A repetition is late if a rank started more than 5 % of its time too late. */
	res->late += keep && latest > 0.05 * slowest;
	return slowest;
}

/* Rank 0: what a repetition that counts says of each rank. 0, or -1 without memory. */
static int keep_ranks(struct samples *x, const struct outcome *all, int size)
{
	json_t *ranks = x->rank_times ? json_array() : NULL;
	double rate = 0;

	for (int r = 0; r < size; r++) {
		if (x->nkept < BEST_OF)
			x->rank_best[r] = fmin(x->rank_best[r], all[r].seconds);
		x->work[r].units += all[r].work.units;
		x->work[r].seconds += all[r].work.seconds;
		x->work[r].processor_s += all[r].work.processor_s;
		x->work[r].around_s += all[r].work.around_s;
		if (all[r].work.seconds > 0)
			rate += all[r].work.units / all[r].work.seconds;
		if (ranks)
			json_array_append_new(ranks, all[r].seconds > 0
							     ? json_real(all[r].seconds)
							     : json_null());
	}
	x->nkept++;
	if (ranks)
		json_array_append_new(x->rank_times, ranks);
	return series_push(&x->work_rates, rate);
}

/* Rank 0: the times of the ranks by themselves. 0, or -1 without memory. */
static int keep_apart(struct series *apart, const struct outcome *all, int size)
{
	for (int r = 0; r < size; r++)
		if (series_push(apart, all[r].rank == WHOLE	? all[r].apart_s
				       : all[r].rank == LONELY	? NAN
								: INFINITY))
			return -1;
	return 0;
}

/* One repetition, whose time counts only if `keep`. Returns its time on rank 0. */
static double repeat(struct run *run, bool keep)
{
	struct session *s = run->s;
	struct outcome mine;
	const struct outcome *all;
	double slowest;

	if (session_is_root(s))
		sink_show_progress(s, &(struct progress_point){ run->spec.size, run->res->times.n,
								run->slow_s });
	if (run->spec.redraw)
		part_build(s, &run->spec, s->part.round.count);
	mine = time_round(s, run->plain);
	if (run->spec.rank_times && s->part.round.stamps && mine.seconds > 0)
		mine.apart_s = by_iterations(s, run->spec.rank_times);
	all = session_gather(s, &mine, sizeof(mine));
	if (!session_is_root(s))
		return 0;
	slowest = take_outcomes(run, all, keep);
	if (!keep)
		return slowest;
	if (keep_ranks(&s->sink->samples, all, s->job->size) ||
	    (run->spec.rank_times && keep_apart(&run->res->apart, all, s->job->size)) ||
	    series_push(&run->res->times, slowest))
		session_abort(s, error_report("no memory for samples"));
	return slowest;
}

/*
 * One repetition of which the single iterations count, and its time only if `keep`: what has to
 * read the clock within a round must not slow those that are timed as a whole.
 */
static void repeat_stamped(struct run *run, bool keep)
{
	struct session *s = run->s;
	struct part *part = &s->part;
	double scale = s->ep->tick_s / SAMPLE_UNIT_S;

	part->round.stamps = part->stamps.at;	/* rank 0's, or of all; NULL elsewhere */
	part->observed = true;
	repeat(run, keep);
	part->observed = false;
	part->round.stamps = NULL;
	if (session_is_root(s) && !run->spec.rank_times &&
	    samples_iterations(&s->sink->samples, part->stamps.at, part->round.count, scale))
		session_abort(s, error_report("no memory for samples"));
}

/* ---- how often, how long ---- */

#define LEAST_SHARE_S 1e-3

/* A point begins: its share is that of what is left to those that were not begun. Collective. */
static void begin_point(struct run *run)
{
	struct session *s = run->s;
	const struct plan *p = s->plan;
	size_t all = p->n * s->settings->m.visits, begun;
	double left, share;

	run->begin_s = clock_wall();
	run->share = (struct share){ p->stopping.point_time_s, p->stopping.longest_s, INFINITY };
	if (!(p->usual.time_s > 0))
		return;
	left = fmax(p->usual.time_s - session_elapsed(s), LEAST_SHARE_S);
	begun = session_is_root(s) ? s->sink->count.begun++ : 0;
	share = all > begun ? left / (double)(all - begun) : left;
	run->share = (struct share){ SHARE_OF_REPETITIONS * share,
				     fmin(SHARES_OF_A_SLOW_POINT * share, left), share };
	run->share.longest_s = fmin(run->share.longest_s,
				    fmax(LONGEST_POINT_S, run->share.repetitions_s));
	session_bcast(s, &run->share, sizeof(run->share));
}

/* Rank 0: whether the pilot has used up what it may take. */
static bool pilot_is_late(const struct run *run)
{
	return clock_wall() - run->begin_s > run->share.pilot_s;
}

static double round_target(const struct session *s, const struct spec *spec)
{
	const struct program *program = spec->pattern->program;
	double target = program		     ? program->target_s
			: spec->target_s > 0 ? spec->target_s
					     : ROUND_TARGET_S;

	return target / endpoint_slowdown(s->ep);
}

/* Whether the pilot ends here; what rank 0 says counts. */
static bool pilot_ends(struct run *run, bool found)
{
	struct session *s = run->s;
	bool late = session_is_root(s) && session_out_of_time(s);
	enum stop stop = late				? STOP_TIME_LIMIT
			 : found || pilot_is_late(run)	? STOP_POINT_TIME
							: STOP_NOT;

	return session_decide(s, stop, run->signal) != STOP_NOT;
}

/*
 * Time of the quickest of some rounds, on rank 0, since one that the system interrupted says
 * nothing: up to one that lasts no longer than good_s, or the time limit.
 */
static double quickest(struct run *run, uint64_t loops, int rounds, double good_s)
{
	double best = INFINITY;
	bool ends = false;

	part_build(run->s, &run->spec, loops);
	for (int i = 0; i < rounds && !ends; i++) {
		best = fmin(best, repeat(run, false));
		ends = pilot_ends(run, best <= good_s);
	}
	return best;
}

/* Doubles the loops from 1 until the time can be judged; yields on rank 0 that of one loop. */
static uint64_t first_loops(struct run *run, uint64_t most, double enough, double *loop_s)
{
	uint64_t loops = 1;

	for (;;) {
		double seconds = quickest(run, loops, 3, 0);

		*loop_s = seconds / (double)loops;
		if (session_is_over(run->s) ||
		    pilot_ends(run, seconds >= enough || loops >= most || run->empty))
			return loops;
		loops = 2 * loops < most ? 2 * loops : most;
	}
}

/*
 * The loops of a round that lasts as long as wanted. They are approached in steps, since the system
 * may treat longer rounds otherwise: a round that takes far longer than planned sets a new plan.
 * *loop_s: what a loop takes, on rank 0.
 */
static uint64_t pilot(struct run *run, double *loop_s)
{
	struct session *s = run->s;
	uint64_t fit = each_most_loops(s->settings, &run->spec, s->plan->ranks);
	uint64_t most = s->plan->usual.max_loops, loops, next;
	double target = round_target(s, &run->spec), expected, seconds;
	double enough = fmin(PILOT_S / endpoint_slowdown(s->ep), target / 5);

	most = s->ep->limits.max_count < most ? s->ep->limits.max_count : most;
	most = fit < most ? fit : most;
	loops = first_loops(run, most, enough, loop_s);
	for (;;) {
		next = plan_loops(target, *loop_s, most);
		next = next < PILOT_STEP * loops ? next : PILOT_STEP * loops;
		if (run->empty || pilot_is_late(run))
			next = loops;
		session_bcast(s, &next, sizeof(next));
		if (next <= loops || session_is_over(s))
			return next < loops ? next : loops;
		loops = next;
		expected = FAR * *loop_s * (double)loops;
		seconds = quickest(run, loops, 2, expected);
		if (seconds > expected)
			*loop_s = seconds / (double)loops;
	}
}

/* What a point may take, s; 0: any time, or a fixed number of repetitions. */
static double longest_point(const struct run *run)
{
	return run->spec.repetitions ? 0 : run->share.longest_s;
}

/*
 * Looks at single iterations with windows of 1, 2, 4, ... messages, so that a point does not take
 * longer than it may: if it would, rounds are plain, and have the loops that this yields, unless
 * they were asked for; and the window is shortened, unless that was asked for. Of many loops one
 * does not tell what a shorter window would have to be.
 */
static uint64_t look_ahead(struct run *run)
{
	struct session *s = run->s;
	struct spec *spec = &run->spec;
	uint64_t loops = spec->loops == LOOPS_BY_PILOT ? 1 : spec->loops;
	double longest = longest_point(run) / (double)loops / endpoint_slowdown(s->ep), seconds = 0;
	struct outlook seen = { .window = 1 };
	uint32_t asked = spec->window;

	run->plain = longest > 0;
	while (run->plain && !seen.clear && !session_is_over(s)) {
		spec->window = seen.window;
		seconds = quickest(run, 1, 2, stop_suspicious(longest));
		if (session_is_root(s))
			seen = stop_foresee(seconds, spec->window, asked, longest);
		session_bcast(s, &seen, sizeof(seen));
	}
	run->plain = seen.slow || spec->check == CHECK_ONCE;
	seconds *= endpoint_slowdown(s->ep) / spec->window;	/* of a message */
	spec->window = asked;
	if (seen.slow && spec->elastic && loops == 1 && seen.window < asked)
		spec->window = seen.window > spec->batch ? seen.window : spec->batch;
	run->slow_s = seen.slow ? seconds * spec->window * (double)loops : 0;
	return loops;
}

/* The loops asked for, those for which there is time, or what a pilot finds. */
static uint64_t find_loops(struct run *run)
{
	const struct spec *spec = &run->spec;
	uint64_t loops = look_ahead(run);
	double loop_s;

	if ((run->plain && spec->check != CHECK_ONCE) || spec->loops != LOOPS_BY_PILOT)
		return loops;
	loops = pilot(run, &loop_s);
	if (loops >= spec->least_loops)
		return loops;
	loops = stop_loops(loop_s, spec->least_loops, longest_point(run));
	session_bcast(run->s, &loops, sizeof(loops));
	run->plain = loops < spec->least_loops;
	run->slow_s = run->plain ? loop_s * (double)loops : 0;
	return loops;
}

uint64_t measure_pilot(struct session *s, const struct spec *spec)
{
	struct result res = { .spec = spec };
	struct run run = { .s = s, .spec = *spec, .res = &res };

	uint64_t loops;

	begin_point(&run);
	s->part.expect.pace = (struct pace){ 0 };
	loops = find_loops(&run);
	loops = run.empty ? LOOPS_BY_PILOT : loops;
	session_bcast(s, &loops, sizeof(loops));
	return loops;
}

/* Rounds that do not count, unless the run is to end; plain ones were looked at and are warm. */
static void warm_up(struct run *run)
{
	struct session *s = run->s;
	uint64_t n = run->plain && run->spec.check != CHECK_ONCE ? 0 : s->plan->warmup;
	bool late;

	for (uint64_t i = 0; i < n && !session_is_over(s); i++) {
		repeat(run, false);
		late = session_is_root(s) && session_out_of_time(s);
		session_decide(s, late ? STOP_TIME_LIMIT : STOP_NOT, run->signal);
	}
}

/* Rank 0: a computing task was watched for long enough beside the communication, or time is up. */
static bool watched_enough(const struct run *run, double spent_s)
{
	const struct session *s = run->s;
	double point_time = s->plan->stopping.point_time_s, most = 0;

	for (int r = 0; r < s->job->size; r++)
		most = fmax(most, s->sink->samples.work[r].seconds);
	return most >= WORK_S || (point_time > 0 && spent_s >= point_time) ||
	       run->res->times.n >= s->plan->stopping.max;
}

/* Rank 0: whether a point's repetitions are enough; the run's own end comes first. */
static enum stop judge(const struct run *run, double repetition_s)
{
	const struct spec *spec = &run->spec;
	struct stopping rule = run->s->plan->stopping;
	double now = clock_wall(), spent_s = now - run->start_s;
	/* of each message once, at the end */
	double check_s = repetition_s / (double)(run->res->loops * spec->window);

	if (spec->repetitions)
		rule.min = rule.max = spec->repetitions;
	rule.deterministic &= !spec->rank_times;
	rule.point_time_s = run->share.repetitions_s;
	rule.longest_s = longest_point(run);
	rule.step_s = session_clock_step(run->s);
	if (session_out_of_time(run->s))
		return STOP_TIME_LIMIT;
	if (stop_is_slow(&rule, run->res->times.n, now - run->begin_s + check_s, repetition_s))
		return STOP_SLOW;
	if (spec->load && !watched_enough(run, spent_s))
		return STOP_NOT;
	return stop_now(&rule, &run->res->times, spent_s);
}

static enum stop repeat_enough(struct run *run)
{
	struct session *s = run->s;
	bool root = session_is_root(s), stamped = has_stamps(s, &run->spec);
	/* readings of the clock are nothing beside an iteration that takes long */
	bool at_once = stamped && (run->spec.rank_times || (run->plain && run->res->loops == 1 &&
						       !run->spec.pattern->program));
	enum stop stop;

	run->start_s = clock_wall();
	do {
		double begin_s = clock_wall();

		if (!at_once)
			repeat(run, true);
		if (stamped)
			repeat_stamped(run, at_once);
		stop = session_decide(s, root ? judge(run, clock_wall() - begin_s) : STOP_NOT,
				      run->signal);
	} while (stop == STOP_NOT);
	return stop;
}

/* ---- beside and after the repetitions ---- */

static void add_alone(struct alone *sum, const struct alone *all, int size)
{
	*sum = (struct alone){ .processor = INFINITY };
	for (int r = 0; r < size; r++) {
		sum->processor = fmin(sum->processor, all[r].processor);
		for (int i = 0; i < ALONE_PARTS; i++)
			sum->rate[i] += all[r].rate[i];
	}
}

/* Starts the computing task where the spec wants one, and sees how fast all are on their own. */
static void start_task(struct session *s, const struct spec *spec)
{
	struct alone mine;
	const struct alone *all;
	double processor, begun;

	if (!spec->load)
		return;
	if (spec->load & s->part.round.roles && !(s->computing.task = background_start()))
		session_abort(s, ST_FAILED);
	if (spec->series == s->computing.series)
		return;
	s->computing.series = spec->series;
	s->job->kind->barrier(s->job);
	processor = background_processor(s->computing.task);
	begun = clock_wall();
	for (int i = 0; i < ALONE_PARTS; i++)
		mine.rate[i] = background_alone(s->computing.task, ALONE_S / ALONE_PARTS);
	processor = (background_processor(s->computing.task) - processor) / (clock_wall() - begun);
	mine.processor = s->computing.task ? processor : INFINITY;
	all = session_gather(s, &mine, sizeof(mine));
	if (session_is_root(s))
		add_alone(&s->computing.alone, all, s->job->size);
}

static void end_task(struct session *s)
{
	if (s->computing.task && session_is_root(s))
		json_object_set_new(s->sink->record.summary, "load_priority",
				    json_string(background_priority()));
	background_stop(s->computing.task);
	s->computing.task = NULL;
}

/* How often a point's transfers are done one by one. */
static uint64_t passes(const struct run *run)
{
	const struct session *s = run->s;
	const struct spec *spec = &run->spec;
	uint64_t times = spec->window * run->res->loops;
	uint64_t most = VERIFY_BYTES / (spec->size + 1) + 1;

	if (run->plain)
		return 1;
	if (s->settings->m.verify != VERIFY_FULL || spec->check == CHECK_ROUNDS)
		return 0;
	most = most < VERIFY_MESSAGES ? most : VERIFY_MESSAGES;
	if (s->ep->caps & CAP_VIRTUAL)		/* all ranks' messages are one process's work */
		most = plan_virtual_loops(s->plan, spec, most);
	return times < most ? times : most;
}

/* Each message of so many passes, or of those for which the point has time. */
#define PASSES_AT_ONCE 16
static uint64_t verify_passes(struct run *run, uint64_t times, uint64_t *checked)
{
	struct session *s = run->s;
	uint64_t wrong = 0, at_once = times;
	bool late = false;

	if (s->plan->usual.time_s > 0 && !run->plain)
		at_once = PASSES_AT_ONCE;
	for (uint64_t done = 0; done < times && !late; done += at_once) {
		at_once = at_once < times - done ? at_once : times - done;
		wrong += verify_each(s, at_once, checked);
		if (at_once == times)
			break;
		late = clock_wall() - run->begin_s > run->share.longest_s;
		session_bcast(s, &late, sizeof(late));
	}
	return wrong;
}

/*
 * Outside the clock: one more round as those that were timed, of which every byte that it leaves is
 * checked, unless that was so of each, and its messages one by one.
 */
static void verify(struct run *run)
{
	struct session *s = run->s;
	struct result *res = run->res;
	struct outcome mine = { 0 };
	const struct outcome *all;
	uint64_t seq = s->seq++;

	if (!is_verified(s) || (s->part.round.each && !run->plain))
		return;
	if (!run->plain && !s->part.lost) {
		verify_prepare(s, &s->part.round, seq);
		part_run(s, NULL);
		mine.errors = verify_check(s, &s->part.round, seq, seq, &mine.checked);
	}
	mine.errors += verify_passes(run, passes(run), &mine.checked);
	all = session_gather(s, &mine, sizeof(mine));
	for (int r = 0; session_is_root(s) && r < s->job->size; r++) {
		res->checked += all[r].checked;
		res->errors += all[r].errors;
	}
}

/*
 * Rank 0: how fast the computing tasks were, alone and beside the repetitions, and the interval of
 * the ratio. What is drawn are parts of the time: a task may do nothing in one repetition.
 */
static void summarise_work(const struct session *s, struct result *res)
{
	const struct samples *x = &s->sink->samples;
	const double *rate = s->computing.alone.rate;
	const struct series alone = { (double *)(uintptr_t)rate, ALONE_PARTS, 0 };
	struct series meanwhile = { NULL };
	struct ratio found;
	double parts = fmin(fmax(sqrt((double)x->work_rates.n), PARTS_LEAST), PARTS_MOST), ratio;

	res->processor = s->computing.alone.processor;
	res->work_alone = res->work_during = 0;
	for (int i = 0; i < ALONE_PARTS; i++)
		res->work_alone += s->computing.alone.rate[i] / ALONE_PARTS;
	for (int r = 0; r < s->job->size; r++) {
		const struct work *w = &x->work[r];

		if (w->seconds > 0)
			res->work_during += w->units / w->seconds;
		if (w->around_s > 0)
			res->processor = fmin(res->processor, w->processor_s / w->around_s);
	}
	res->slowdown = (struct interval){ NAN, NAN };
	if (!res->spec->load || x->work_rates.n < PARTS_LEAST || !(res->work_during > 0))
		return;
	ratio = res->work_alone / res->work_during;
	if (!series_means(&x->work_rates, (size_t)parts, &meanwhile) &&
	    !median_ratio(&meanwhile, &alone, DRAWS, s->settings->m.seed, &found))
		res->slowdown = (struct interval){ fmin(found.interval.lo, ratio),
						   fmax(found.interval.hi, ratio) };
	series_free(&meanwhile);
}

/* Rank 0: from samples to the result. */
static void summarise_samples(const struct session *s, struct result *res)
{
	const struct samples *x = &s->sink->samples;

	res->time = summarise_visits(&res->times, res->visit_end, res->visits);
	summary_widen(&res->time, session_clock_step(s));
	samples_summarise(x, res, s->ep->caps & CAP_VIRTUAL, session_clock_step(s));
	for (int r = 0; r < s->job->size; r++)
		res->rank_best_s = fmax(res->rank_best_s, x->rank_best[r]);
	summarise_work(s, res);
}

const char *measure_cannot(const struct session *s, const struct spec *spec, char why[CANNOT_TEXT])
{
	bool timed = each_is_timed(s->settings, spec);
	const char *missing = cap_name(spec->pattern->needs & ~s->ep->caps);

	if (spec->needs > s->job->size)
		snprintf(why, CANNOT_TEXT, "n/a: needs %d ranks, have %d", spec->needs,
			 s->job->size);
	else if (missing)
		snprintf(why, CANNOT_TEXT, "n/a: needs '%s', which %s does not offer", missing,
			 s->ep->be->name);
	else if (!spec->cannot && !each_most_loops(s->settings, spec, s->plan->ranks))
		snprintf(why, CANNOT_TEXT, "n/a: '--verify every' takes more than 1 GiB a rank");
	else if (!spec->cannot && timed && spec->pattern->needs & CAP_FLOW)
		snprintf(why, CANNOT_TEXT, "n/a: no '--verify every-timed' of a sliding window");
	else if (!spec->cannot && timed && spec->pattern->needs & CAP_BCAST)
		snprintf(why, CANNOT_TEXT, "n/a: no '--verify every-timed' of a native broadcast");
	else
		return spec->cannot;
	return why;
}

/* `earlier`: visits of the spec whose samples are kept. */
static void measure_once(struct session *s, const struct spec *spec, size_t earlier,
			 struct result *res)
{
	struct run run = { .s = s, .spec = *spec, .res = res };
	uint64_t fit = each_most_loops(s->settings, spec, s->plan->ranks);
	double strayed;
	int err;

	begin_point(&run);
	err = sync_again(&s->sync, &strayed);
	*res = (struct result){ .spec = spec, .loops = spec->loops };
	if (err)
		session_abort(s, err);
	s->part.expect.pace = (struct pace){ 0 };
	part_build(s, spec, 1);
	start_task(s, spec);
	res->loops = find_loops(&run);
	if (res->loops > fit)
		res->loops = fit;
	res->window = run.spec.window;
	part_build(s, &run.spec, res->loops);
	if (has_stamps(s, spec))
		part_make_stamps(s, res->loops, spec->rank_times);
	warm_up(&run);
	if (session_is_root(s) && !earlier)
		samples_begin(&s->sink->samples, s->job->size);
	res->stop = repeat_enough(&run);
	run.plain |= res->stop == STOP_SLOW;
	end_task(s);
	if (spec->pattern->program)
		res->tally = spec->pattern->program->tally(s, s->part.state);
	if (!session_is_over(s))
		verify(&run);
	if (session_is_root(s)) {
		if (result_end_visit(res))
			session_abort(s, error_report("no memory for samples"));
		summarise_samples(s, res);
	}
	session_bcast(s, &res->time, sizeof(res->time));
}

void measure(struct session *s, const struct spec *spec, struct result *res)
{
	measure_once(s, spec, 0, res);
}

/* Adds a visit to those before; what comes from the sink's samples is of all of them already. */
static int result_add(struct result *all, struct result *visit)
{
	bool first = !all->loops;

	for (size_t i = 0; i < visit->times.n; i++)
		if (series_push(&all->times, visit->times.s[i]))
			return -1;
	all->loops = visit->loops;
	all->window = visit->window;
	if (first || visit->stop != STOP_CI)
		all->stop = visit->stop;
	all->rank_best_s = visit->rank_best_s;
	all->checked += visit->checked;
	all->errors += visit->errors;
	all->late += visit->late;
	all->work_alone = visit->work_alone;
	all->work_during = visit->work_during;
	all->slowdown = visit->slowdown;
	all->processor = visit->processor;
	if (visit->tally && all->tally) {
		all->spec->pattern->program->add(all->tally, visit->tally);
	} else if (visit->tally) {
		all->tally = visit->tally;
		visit->tally = NULL;
	}
	return result_end_visit(all);
}

void measure_visit(struct session *s, const struct spec *spec, struct result *all)
{
	struct spec again = *spec;
	struct result visit;

	if (all->visits) {
		again.loops = all->loops;
		again.window = all->window;
		again.elastic = false;
	}
	measure_once(s, &again, all->visits, &visit);
	all->spec = spec;
	if ((visit.stop != STOP_SIGNAL || visit.time.n) && result_add(all, &visit))
		session_abort(s, error_report("no memory for samples"));
	all->time = summarise_visits(&all->times, all->visit_end, all->visits);
	summary_widen(&all->time, session_clock_step(s));
	if (session_is_root(s))
		samples_summarise(&s->sink->samples, all, s->ep->caps & CAP_VIRTUAL,
				  session_clock_step(s));
	result_free(&visit);
}
