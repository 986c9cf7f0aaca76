/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/sort.h"
#include "measure/collective/block.h"
#include "measure/collective/inputs.h"
#include "measure/collective/round.h"
#include "measure/collective/spec.h"
#include "measure/load.h"
#include "measure/sink/sink.h"
#include "measure/part.h"
#include "measure/plan/program.h"
#include "measure/verify/choice.h"
#include "measure/verify/pass.h"
#include "measure/verify/verify.h"

/*
 * When a spec is verified message by message, at most this many bytes and this many messages are
 * sent.
 */
#define VERIFY_BYTES (64U << 20)
#define VERIFY_MESSAGES 65536

/*
 * A pilot starts with a round of one iteration. It doubles the number of iterations until a round
 * lasts this long, s.
 */
#define PILOT_S 1e-3
#define PILOT_STEP 4	/* each later step multiplies the loops by at most this */
/* a round that takes this many times its expected time is slower than noise explains */
#define FAR 4

/*
 * Time between the starts of two operations in a block, as a multiple of an operation's time
 * (COLLECTIVES.md 37a).
 */
#define DISTANCE 4

/* Shortest time for which a computing task is timed beside the communication, s, if time allows. */
#define WORK_S 20e-3

/* What each rank reports after a round. */
struct outcome {
	/* time of the round, s; 0 if the rank is not timed, or has lost its peer */
	double seconds;
	enum { RANK_LOST, RANK_OK, PEER_LOST } rank;	/* a lost rank's report is all zeros */
	double late_s;			/* delay of this rank's start after the common start, s */
	/*
	 * time of the round that is kept for this rank, s, if the spec keeps the times of each rank
	 */
	double apart_s;
	/* start of the round on this rank, in the ticks of clock_count() */
	uint64_t start;
	/* work of this rank's computing task; all 0 without a task */
	struct work work;
	uint64_t checked, errors;	/* number of verified messages, and of wrong ones */
	uint64_t digest;		/* inputs_digest_result of the operations */
	int signal;			/* number of the signal that the rank got, or 0 */
};

/* Limits of the time that a point may take, s; the same on all ranks. */
struct share {
	double repetitions_s;	/* for all repetitions; 0: no limit */
	/* for a whole slow point, pilot and checks included; 0: no limit */
	double longest_s;
	double visit_s;		/* time of one visit; INFINITY: no limit */
};

/* State of one measurement of a spec, or of one visit to it. */
struct run {
	struct session *s;
	/* copy of the spec, with the window that is really measured */
	struct spec spec;
	struct result *res;
	size_t first;			/* index of this visit's first sample in res->times */
	/*
	 * begin_s: when the visit started. start_s: when the repetitions of the visit started. Both
	 * by clock_wall, s.
	 */
	double begin_s, start_s;
	struct share share;		/* the point's share of the run's time */
	/* rank 0: time of a repetition, s, if the point is slow; else 0 */
	double slow_s;
	/* rounds have no warm-up iteration and no checks message by message */
	bool plain;
	/* rank 0: a signal that a rank got in the latest repetition, or 0 */
	int signal;
	/* rank 0: nothing was timed in the latest repetition, because peers are lost */
	bool empty;
	/*
	 * rank 0: median operation time in the latest stamped block, times its number of
	 * operations, s; 0: no block had stamps yet
	 */
	double block_s;
};

/* ---- one repetition ---- */

/* Returns whether single iterations of the spec are timed with stamps. */
static bool wants_stamps(const struct session *s, const struct spec *spec)
{
	if (spec->rank_times && s->ep->caps & CAP_VIRTUAL)
		return false;
	if (spec->collective)
		return !spec->collective->in_a_row;
	return spec->pattern->program || (spec->stamps && s->ep->caps & CAP_STAMPS);
}

/* Returns whether the content of messages is verified after rounds. */
static bool content_is_verified(const struct session *s)
{
	return s->settings->m.verify != VERIFY_NONE && s->ep->limits.content_len &&
	       !s->part.pattern->program;
}

/*
 * Runs the operations of the round on new input, and checks their results. Returns the time of the
 * round on this rank, s.
 */
static double run_operations(struct session *s, const struct collective *c, bool check,
			     struct outcome *mine)
{
	const struct round *r = &s->part.round;
	/* if in place, the result of an operation is the input of the next operation */
	bool changes = operation_adds(c->op) || c->op == OPERATION_ALLTOALL;
	bool holds = r->count <= s->part.vectors.variants || !(c->shape.in_place && changes);
	uint64_t seq = s->seq++;
	double seconds;

	if (check)
		inputs_prepare(s, c, seq);
	collective_cool(s, c);
	seconds = part_run(s, &mine->late_s);
	if (check && holds) {
		mine->errors += inputs_check(s, c, seq, &mine->checked);
		mine->digest = inputs_digest_result(s, c);
	}
	return seconds;
}

/*
 * Runs and times one round of collective operations on this rank. All operations of the round have
 * the same input, so the check would miss lost or left-over messages. Therefore one more operation
 * runs on another input. Returns this rank's report.
 */
static struct outcome time_operations(const struct run *run)
{
	struct session *s = run->s;
	struct part *part = &s->part;
	struct round *r = &part->round;
	const struct collective *c = run->spec.collective;
	struct outcome mine = { .signal = job_stop(s->job), .rank = RANK_OK };
	struct outcome once = { .checked = 0 };
	bool check = content_is_verified(s) && !part->vectors.hollow && r->timed;
	uint64_t count = r->count;
	double *t = r->stamps;
	const double *starts;

	mine.seconds = run_operations(s, c, check, &mine);
	mine.start = part->last.start;
	mine.seconds = r->timed ? mine.seconds : 0;
	if (count == 1 || !content_is_verified(s) || part->vectors.hollow || run->plain)
		return mine;
	starts = r->block.starts;
	r->count = 1;
	r->stamps = NULL;
	r->block.starts = NULL;
	run_operations(s, c, check, &once);
	r->count = count;
	r->stamps = t;
	r->block.starts = starts;
	mine.checked += once.checked;
	mine.errors += once.errors;
	mine.digest += 3 * once.digest;
	return mine;
}

/*
 * Runs and times one round on this rank. Then checks the content of every message, or only the
 * buffers, which hold the data of the final iteration. Then repeats each transfer of an iteration
 * once with other content, to find lost or left-over messages. A plain round omits this repetition,
 * because the next round or the end of the point sends other content. Returns this rank's report.
 */
static struct outcome time_round(const struct run *run)
{
	struct session *s = run->s;
	struct part *part = &s->part;
	struct round *round = &part->round;
	struct outcome mine = { .signal = job_stop(s->job) };
	bool verified = content_is_verified(s), check = verified && !part->each.timed;
	bool whole = round->each || run->plain || s->ep->caps & CAP_MAKES;
	uint64_t seq = s->seq++, stamp = whole ? seq : s->seq++, count = round->count;
	double *t = round->stamps;

	if (check)
		verify_prepare(s, round, seq);
	if (check && !whole) {
		/*
		 * run one untimed iteration, so that buffers and caches are in the state that any
		 * iteration leaves
		 */
		round->count = 1;
		round->stamps = NULL;
		part_run(s, NULL);
		round->count = count;
		round->stamps = t;
		verify_stamp(s, round, stamp);
	}
	mine.seconds = part_run(s, &mine.late_s);
	mine.start = part->last.start;
	mine.rank = part->lost ? PEER_LOST : RANK_OK;
	if (s->computing.task)
		mine.work = part->last.work;
	if (check && !part->lost)
		mine.errors = verify_check(s, round, seq, stamp, &mine.checked);
	if (part->each.timed) {
		mine.checked = part->each.checked;
		mine.errors = part->each.errors;
	}
	if (verified && !run->plain)
		mine.errors += verify_one_by_one(s, 1, &mine.checked);
	if (part->pattern->program)
		mine.checked = part->pattern->program->verdict(part->state, &mine.errors);
	if (!round->timed || part->lost)
		mine.seconds = 0;
	mine.apart_s = mine.seconds;
	if (!run->spec.rank_times || !t || !(mine.seconds > 0))
		return mine;
	/* the rank's time is the number of iterations times the median or the shortest iteration */
	for (uint64_t i = 0; i < count; i++)
		t[i] = (t[i + 1] - t[i]) * s->ep->tick_s;
	mine.apart_s = (double)count * (run->spec.rank_times == RANKS_LEAST
						? select_double(t, count, 0)
						: median(t, count));
	return mine;
}

/*
 * Rank 0: adds the reports of all ranks about a repetition to the result. The repetition becomes a
 * sample only if `keep`. Returns the time of the repetition, s.
 */
static double collect_outcomes(struct run *run, const struct outcome *all, bool keep)
{
	struct session *s = run->s;
	struct result *res = run->res;
	struct samples *x = &s->sink->samples;
	json_t *ranks = keep && x->rank_times ? json_array() : NULL;
	double slowest = 0, latest = 0, end = 0, rate = 0;
	int err = 0;

	run->signal = 0;
	run->empty = false;
	for (int r = 0; r < s->job->size; r++) {
		const struct outcome *o = &all[r];
		struct rank_sums *sums = &x->ranks[r];

		run->empty |= o->rank != RANK_OK;
		run->signal = run->signal ? run->signal : o->signal;
		slowest = fmax(slowest, o->seconds);
		latest = fmax(latest, o->late_s);
		res->checked += o->checked;
		res->errors += o->errors;
		if (run->spec.collective && r < (int)run->spec.collective->shape.P)
			res->ranks_differ |= o->digest != all[0].digest;
		if (o->seconds > 0)
			end = fmax(end, o->seconds + host_clock.tick_s *
						(double)(int64_t)(o->start - all[0].start));
		if (!keep)
			continue;
		if (x->nkept < BEST_OF)
			sums->best_s = fmin(sums->best_s, o->seconds);
		sums->work.units += o->work.units;
		sums->work.seconds += o->work.seconds;
		sums->work.processor_s += o->work.processor_s;
		sums->work.around_s += o->work.around_s;
		if (o->work.seconds > 0)
			rate += o->work.units / o->work.seconds;
		if (ranks)
			json_array_append_new(ranks, o->seconds > 0 ? json_real(o->seconds)
								    : json_null());
		if (run->spec.rank_times)
			err |= series_push(&res->apart, o->rank == RANK_OK     ? o->apart_s
							: o->rank == PEER_LOST ? NAN
									       : INFINITY);
	}
	run->empty &= !(slowest > 0);
	if (run->block_s > 0)
		slowest = run->block_s;
	/*
	 * count from rank 0's start until the last rank has ended; the other ranks' starts do not
	 * matter
	 */
	if (run->spec.pattern->from_root && s->sink->one_clock)
		slowest = end;
	if (!run->spec.collective)
		sync_adjust_lead(&s->sync, latest, slowest);
	if (!keep)
		return slowest;
	/*
	 * a repetition is late if a rank's start was delayed by more than 5 % of the repetition's
	 * time
	 */
	res->late += !run->spec.collective && latest > 0.05 * slowest;
	x->nkept++;
	if (ranks)
		json_array_append_new(x->rank_times, ranks);
	if (err || series_push(&x->work_rates, rate) || series_push(&res->times, slowest))
		session_abort(s, error_report("no memory for samples"));
	return slowest;
}

/*
 * Runs a block of operations, and measures it again while too many operations begin late. Returns
 * this rank's report. *own_s and *median_s are as block_collect sets them, if `stamped`.
 */
static struct outcome run_block(struct run *run, bool keep, bool stamped, double *own_s,
				double *median_s)
{
	struct session *s = run->s;
	const struct collective *c = run->spec.collective;
	bool barriers = !(s->ep->caps & CAP_VIRTUAL) && !c->in_a_row &&
			!(stamped && block_has_agreed_starts(s));
	double *stamps = s->part.round.stamps;
	struct outcome mine;
	bool again;

	do {
		s->part.vectors.turn++;
		collective_build(s, c, s->part.round.count, barriers);
		s->part.round.stamps = stamps;
		mine = time_operations(run);
		again = stamped && block_collect(s, run->res, keep, own_s, median_s);
	} while (again);
	return mine;
}

/*
 * Runs a block in which ranks compute during each operation, for alone_s of rank 0. This is the
 * operation's time without computing, s. Stores how much of it is hidden, and adds what was
 * verified to *mine.
 */
static void run_overlapped_block(struct run *run, double alone_s, struct outcome *mine)
{
	struct session *s = run->s;
	struct outcome more;
	double own_s, all_s = 0;

	session_bcast(s, &alone_s, sizeof(alone_s));
	s->part.vectors.compute_s = alone_s;
	s->part.vectors.turn--;		/* the same root as in the block without computing */
	more = run_block(run, false, true, &own_s, &all_s);
	s->part.vectors.compute_s = 0;
	mine->checked += more.checked;
	mine->errors += more.errors;
	if (session_is_root(s) && series_push(&s->sink->samples.overlaps,
					      block_hidden_share(alone_s, all_s, alone_s)))
		session_abort(s, error_report("no memory for samples"));
}

/*
 * Runs one repetition of a collective operation, which is a block of operations. In a block without
 * stamps, a barrier precedes each operation, and the measured time determines the time between two
 * starts in later blocks. Returns this rank's report.
 */
static struct outcome time_block(struct run *run, bool keep, bool stamped)
{
	struct session *s = run->s;
	struct vectors *v = &s->part.vectors;
	const struct collective *c = run->spec.collective;
	double own_s, median_s = 0;
	struct outcome mine;

	run->block_s = 0;
	v->distance_s = run->res->distance_s;
	mine = run_block(run, keep, stamped, &own_s, &median_s);
	if (stamped && c->overlap)
		run_overlapped_block(run, median_s, &mine);
	if (stamped) {
		mine.seconds = s->part.round.timed ? own_s * (double)s->part.round.count : 0;
		run->block_s = median_s * (double)s->part.round.count;
		mine.late_s = 0;
	}
	if (session_is_root(s))
		run->res->distance_s = v->distance_s;
	return mine;
}

/*
 * Runs one repetition. Its time becomes a sample only if `keep`. If `stamped`, each single
 * iteration is timed. Rounds that are timed as a whole are not stamped, because reading the clock
 * within a round would slow them. Returns the repetition's time on rank 0, s.
 */
static double run_repetition(struct run *run, bool keep, bool stamped)
{
	struct session *s = run->s;
	struct part *part = &s->part;
	struct outcome mine;
	const struct outcome *all;
	double slowest = 0;

	if (session_is_root(s))
		sink_show_progress(s, &(struct progress_point){
			run->spec.size, run->res->times.n - run->first, run->slow_s,
			run->res->visits, s->plan->stopping.visits });
	/* NULL on ranks that have no memory for stamps */
	part->round.stamps = stamped ? part->stamps.at : NULL;
	part->observed = stamped;
	if (run->spec.redraw)
		part_build(s, &run->spec, part->round.count);
	mine = run->spec.collective ? time_block(run, keep, stamped) : time_round(run);
	part->observed = false;
	part->round.stamps = NULL;
	all = session_gather(s, &mine, sizeof(mine));
	if (!session_is_root(s))
		return 0;
	slowest = collect_outcomes(run, all, keep);
	if (run->spec.collective && !stamped)
		run->res->distance_s = DISTANCE * slowest / (double)part->round.count +
				       2 * s->sync.error_s;
	if (stamped && !run->spec.rank_times && !run->spec.collective &&
	    samples_add_iterations(&s->sink->samples, part->stamps.at, part->round.count,
				   s->ep->tick_s / SAMPLE_UNIT_S))
		session_abort(s, error_report("no memory for samples"));
	return slowest;
}

/* ---- number of loops and repetitions ---- */

#define LEAST_SHARE_S 1e-3
#define LEAST_PART 1e-3		/* a visit gets at least this part of the point's time */

/*
 * Starts the clock of a point and computes its share of the time left. All points that have not
 * begun get equal shares. Collective.
 */
static void start_point_clock(struct run *run)
{
	struct session *s = run->s;
	const struct plan *p = s->plan;
	double all = (double)(p->n * p->stopping.visits), visits = (double)p->stopping.visits,
	       begun, left, share;

	s->part.expect.pace = (struct pace){ 0 };
	run->begin_s = clock_wall();
	/* a visit that took longer than its share leaves less time for the next visit */
	share = p->stopping.point_time_s * (double)(run->res->visits + 1) / visits;
	share = fmax(share - run->res->repeated_s, p->stopping.point_time_s * LEAST_PART);
	run->share = (struct share){ share, p->stopping.longest_s, INFINITY };
	if (!(p->usual.time_s > 0))
		return;
	left = fmax(p->usual.time_s - session_elapsed(s), LEAST_SHARE_S);
	begun = session_is_root(s) ? (double)s->sink->count.begun++ : 0;
	share = all > begun ? left / (all - begun) : left;
	run->share = (struct share){ SHARE_OF_REPETITIONS * share,
				     fmin(SHARES_OF_A_SLOW_POINT * share * visits,
					  run->res->spent_s + left), share };
	run->share.longest_s = fmin(run->share.longest_s,
				    fmax(LONGEST_POINT_S, run->share.repetitions_s * visits));
	session_bcast(s, &run->share, sizeof(run->share));
}

/* Rank 0: returns whether the pilot has used up the time of the visit. */
static bool pilot_is_late(const struct run *run)
{
	return clock_wall() - run->begin_s > run->share.visit_s;
}

/* Returns whether the pilot ends here. Rank 0 decides. `found`: the pilot has its answer. */
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
 * Runs up to `rounds` rounds of `loops` iterations. On rank 0, returns the time of the quickest
 * round, s, so that a round interrupted by the system does not count. Ends early after a round of
 * at most good_s, or at the time limit.
 */
static double time_quickest_round(struct run *run, uint64_t loops, int rounds, double good_s)
{
	double best = INFINITY;
	bool ends = false;

	part_build(run->s, &run->spec, loops);
	for (int i = 0; i < rounds && !ends; i++) {
		best = fmin(best, run_repetition(run, false, false));
		ends = pilot_ends(run, best <= good_s);
	}
	return best;
}

/*
 * Returns the number of loops with which a round lasts its target time. The number grows in steps,
 * because the system may treat longer rounds differently. If a round takes far longer than
 * expected, the number is computed again. Sets *loop_s on rank 0 to the time of a loop without the
 * launch, s. Rounds are long enough to keep the launch a small part.
 */
static uint64_t find_pilot_loops(struct run *run, double *loop_s)
{
	struct session *s = run->s;
	uint64_t fit = each_max_loops(s->settings, &run->spec, s->plan->ranks);
	const struct collective *c = run->spec.collective;
	uint64_t most = c ? BLOCK_MOST : s->plan->usual.max_loops, loops = 1, next;
	const struct program *program = run->spec.pattern->program;
	double target = run->spec.target_s > 0 ? run->spec.target_s : ROUND_TARGET_S;
	double launch = s->ep->launch_s, enough, expected, seconds;

	target = (program ? program->target_s : target) / endpoint_slowdown(s->ep);
	target = fmax(target, endpoint_min_round_s(s->ep));
	enough = fmax(fmin(PILOT_S / endpoint_slowdown(s->ep), target / 5), launch);
	most = s->ep->limits.max_count < most ? s->ep->limits.max_count : most;
	most = fit < most ? fit : most;
	if (c && collective_max_loops(c) < most)
		most = collective_max_loops(c);
	/* double the loops until a round lasts long enough to be judged */
	for (;; loops = 2 * loops < most ? 2 * loops : most) {
		seconds = time_quickest_round(run, loops, 3, 0);
		*loop_s = fmax(seconds - launch, 0) / (double)loops;
		if (session_is_over(s) ||
		    pilot_ends(run, seconds - launch >= enough || loops >= most || run->empty))
			break;
	}
	for (;;) {
		next = plan_loops(target, *loop_s, most);
		next = next < PILOT_STEP * loops ? next : PILOT_STEP * loops;
		if (run->empty || pilot_is_late(run))
			next = loops;
		session_bcast(s, &next, sizeof(next));
		if (next <= loops || session_is_over(s))
			return next < loops ? next : loops;
		loops = next;
		expected = launch + FAR * *loop_s * (double)loops;
		seconds = time_quickest_round(run, loops, 2, expected);
		if (seconds > expected)
			*loop_s = (seconds - launch) / (double)loops;
	}
}

/*
 * Returns the longest time that the point may take, s. Returns 0 if there is no limit or the number
 * of repetitions is fixed.
 */
static double longest_point_s(const struct run *run)
{
	return run->spec.repetitions ? 0 : run->share.longest_s;
}

/*
 * Times single iterations with windows of 1, 2, 4, ... messages, to find out whether the point
 * would take too long. Rounds of many loops would not show how short the window must be. If the
 * point is slow, its rounds are plain, and its window is shortened unless the user set it. Returns
 * the number of loops of plain rounds: the spec's number, or 1 if the spec leaves it to a pilot.
 */
static uint64_t detect_slow_point(struct run *run)
{
	struct session *s = run->s;
	struct spec *spec = &run->spec;
	uint64_t loops = spec->loops == LOOPS_BY_PILOT ? 1 : spec->loops;
	double longest = longest_point_s(run) / (double)loops / endpoint_slowdown(s->ep),
	       seconds = 0;
	struct outlook seen = { .window = 1 };
	uint32_t asked = spec->window;

	run->plain = longest > 0;
	while (run->plain && !seen.clear && !session_is_over(s)) {
		spec->window = seen.window;
		seconds = time_quickest_round(run, 1, 2, stop_recheck_limit(longest));
		if (session_is_root(s))
			seen = stop_predict_point(seconds, spec->window, asked, longest);
		session_bcast(s, &seen, sizeof(seen));
	}
	run->plain = seen.slow || spec->check == CHECK_ONCE;
	seconds *= endpoint_slowdown(s->ep) / spec->window;	/* time of a message */
	spec->window = asked;
	if (seen.slow && spec->elastic && loops == 1 && seen.window < asked)
		spec->window = seen.window > spec->batch ? seen.window : spec->batch;
	run->slow_s = seen.slow ? seconds * spec->window * (double)loops : 0;
	return loops;
}

/*
 * Returns the number of loops of a round: the spec's number, the number that a pilot finds, or what
 * fits into the time of a slow point.
 */
static uint64_t find_loops(struct run *run)
{
	const struct spec *spec = &run->spec;
	uint64_t loops = detect_slow_point(run);
	double loop_s;

	if ((run->plain && spec->check != CHECK_ONCE) || spec->loops != LOOPS_BY_PILOT)
		return loops;
	loops = find_pilot_loops(run, &loop_s);
	if (loops >= spec->least_loops)
		return loops;
	loops = stop_loops(loop_s, spec->least_loops, longest_point_s(run));
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

	start_point_clock(&run);
	loops = find_loops(&run);
	loops = run.empty ? LOOPS_BY_PILOT : loops;
	session_bcast(s, &loops, sizeof(loops));
	return loops;
}

/*
 * Rank 0: decides whether the visit has enough repetitions. Returns STOP_NOT, or why the visit
 * ends. The run's time limit is checked first.
 */
static enum stop decide_end(const struct run *run, double repetition_s)
{
	const struct session *s = run->s;
	const struct spec *spec = &run->spec;
	const struct series times = { run->res->times.s + run->first,
				      run->res->times.n - run->first, 0 };
	struct stopping rule = s->plan->stopping;
	uint64_t visit = run->res->visits;
	double now = clock_wall(), point_s = run->res->spent_s + now - run->begin_s;
	double spent_s = now - run->start_s, watched_s = 0;
	/* estimated time to verify each message once at the end */
	double check_s = repetition_s / (double)(run->res->loops * spec->window);

	if (session_out_of_time(s))
		return STOP_TIME_LIMIT;
	for (int r = 0; r < s->job->size; r++)
		watched_s = fmax(watched_s, s->sink->samples.ranks[r].work.seconds);
	if (spec->repetitions)
		rule.min = rule.max = spec->repetitions;
	rule.min = stop_visit_share(rule.min, visit, rule.visits);
	rule.max = stop_visit_share(rule.max, visit, rule.visits);
	if (rule.visits > 1 && rule.min < spec->least_repetitions &&
	    now - run->begin_s < run->share.visit_s)
		rule.min = spec->least_repetitions < rule.max ? spec->least_repetitions : rule.max;
	rule.longest_s = longest_point_s(run);
	if (stop_is_slow(&rule, times.n, point_s + check_s, repetition_s))
		return run->res->times.n < FEWEST_REPETITIONS ? STOP_SLOW : STOP_POINT_TIME;
	/*
	 * go on until the computing task has been timed for WORK_S beside the communication, or
	 * time is up
	 */
	if (spec->load && watched_s < WORK_S && times.n < rule.max &&
	    !(rule.point_time_s > 0 && spent_s >= rule.point_time_s))
		return STOP_NOT;
	rule.deterministic &= !spec->rank_times;
	rule.point_time_s = run->share.repetitions_s;
	rule.step_s = session_clock_step(s);
	return stop_now(&rule, &times, spent_s);
}

/*
 * Runs repetitions until the stopping rule or the end of the run ends the visit. Returns why the
 * visit ended.
 */
static enum stop repeat_until_stop(struct run *run)
{
	struct session *s = run->s;
	const struct spec *spec = &run->spec;
	bool stamped = wants_stamps(s, spec);
	/* compared with a long iteration, the time to read the clock is negligible */
	bool at_once = stamped && (spec->rank_times || spec->collective ||
				   (run->plain && run->res->loops == 1 && !spec->pattern->program));
	enum stop stop;

	do {
		double begin_s = clock_wall();

		if (!at_once)
			run_repetition(run, true, false);
		if (stamped)
			run_repetition(run, at_once, true);
		stop = session_is_root(s) ? decide_end(run, clock_wall() - begin_s) : STOP_NOT;
		stop = session_decide(s, stop, run->signal);
	} while (stop == STOP_NOT);
	return stop;
}

/* ---- verification, summary, visits ---- */

#define PASSES_AT_ONCE 16	/* passes of messages between two checks of the visit's time */

/*
 * Verifies after the timed repetitions. Checks every byte of one extra round, unless each round was
 * checked. Then verifies messages one by one. If the run has a time, this ends when the time of the
 * visit is over.
 */
static void verify(struct run *run)
{
	struct session *s = run->s;
	struct outcome mine = { 0 };
	const struct outcome *all;
	const struct spec *spec = &run->spec;
	uint64_t seq = s->seq++, at_once = 1, left = spec->window * run->res->loops;
	uint64_t most = VERIFY_BYTES / (spec->size + 1) + 1;
	bool late = false, in_time = s->plan->usual.time_s > 0 && !run->plain;

	if (!content_is_verified(s) || (s->part.round.each && !run->plain) || spec->collective)
		return;
	most = most < VERIFY_MESSAGES ? most : VERIFY_MESSAGES;
	if (s->ep->caps & CAP_VIRTUAL)		/* one process does the work of all ranks */
		most = plan_virtual_loops(s->plan, spec, most);
	left = left < most ? left : most;
	if (run->plain)
		left = 1;
	else if (s->settings->m.verify != VERIFY_FULL || spec->check == CHECK_ROUNDS)
		left = 0;
	if (!run->plain && !s->part.lost) {
		verify_prepare(s, &s->part.round, seq);
		part_run(s, NULL);
		mine.errors = verify_check(s, &s->part.round, seq, seq, &mine.checked);
	}
	for (; left && !late; left -= at_once) {
		at_once = in_time && 2 * at_once < PASSES_AT_ONCE ? 2 * at_once
			  : in_time				  ? PASSES_AT_ONCE
								  : left;
		at_once = at_once < left ? at_once : left;
		mine.errors += verify_one_by_one(s, at_once, &mine.checked);
		if (!in_time)
			continue;
		late = clock_wall() - run->begin_s > run->share.visit_s;
		session_bcast(s, &late, sizeof(late));
	}
	all = session_gather(s, &mine, sizeof(mine));
	for (int r = 0; session_is_root(s) && r < s->job->size; r++) {
		run->res->checked += all[r].checked;
		run->res->errors += all[r].errors;
	}
}

void measure_summarise(const struct session *s, struct result *res)
{
	const struct samples *x = &s->sink->samples;
	double step = session_clock_step(s);

	res->time = summarise_visits(&res->times, res->visit_end, res->visits);
	summary_widen(&res->time, step);
	res->rank_best_s = 0;
	samples_summarise(x, res, s->ep->caps & CAP_VIRTUAL, step);
	for (int r = 0; r < s->job->size; r++)
		res->rank_best_s = fmax(res->rank_best_s, x->ranks[r].best_s);
}

const char *measure_refusal(const struct session *s, const struct spec *spec, char why[CANNOT_TEXT])
{
	bool timed = each_is_timed(s->settings, spec);
	const char *missing = cap_name(spec->pattern->needs & ~s->ep->caps);
	const struct collective *c = spec->collective;
	unsigned natives = c ? collective_natives(c) : 0, lacking = natives & ~s->ep->natives;

	if (spec->needs > s->job->size)
		snprintf(why, CANNOT_TEXT, "n/a: needs %d ranks, have %d", spec->needs,
			 s->job->size);
	else if (missing)
		snprintf(why, CANNOT_TEXT, "n/a: needs '%s', which %s does not offer", missing,
			 s->ep->be->name);
	else if (!spec->cannot && !each_max_loops(s->settings, spec, s->plan->ranks))
		snprintf(why, CANNOT_TEXT, "n/a: '--verify every' takes more than 1 GiB per rank");
	else if (!spec->cannot && lacking)
		snprintf(why, CANNOT_TEXT, "n/a: %s has no native %s, or none in this form",
			 s->ep->be->name, operation_names[__builtin_ctz(lacking)]);
	else if (!spec->cannot && c && c->overlap && !s->ep->overlaps)
		snprintf(why, CANNOT_TEXT, "n/a: overlap needs a nonblocking form of operations");
	else if (!spec->cannot && natives && c->shape.P < (uint32_t)s->job->size)
		snprintf(why, CANNOT_TEXT, "n/a: native operations take all ranks of the job");
	else if (!spec->cannot && timed && spec->pattern->needs & CAP_FLOW)
		snprintf(why, CANNOT_TEXT, "n/a: no '--verify every-timed' for a sliding window");
	else if (!spec->cannot && timed && spec->pattern->needs & CAP_NATIVE)
		snprintf(why, CANNOT_TEXT, "n/a: no '--verify every-timed' for a native broadcast");
	else
		return spec->cannot;
	return why;
}

/*
 * In the first visit, finds the loops and the window and stores both in the result. In later
 * visits, takes both from the result.
 */
static void find_or_restore_loops(struct run *run)
{
	struct result *res = run->res;

	if (!res->visits && !res->dropped) {
		res->loops = find_loops(run);
		res->window = run->spec.window;
		res->plain = run->plain;
		res->slow_s = run->slow_s;
		return;
	}
	run->spec.window = res->window;
	run->plain = res->plain;
	run->slow_s = res->slow_s;
}

bool measure_has_time(const struct session *s, const struct result *res)
{
	double longest_s = s->plan->stopping.longest_s;

	return !(longest_s > 0) || res->spent_s + res->again_s <= longest_s;
}

void measure_visit(struct session *s, const struct spec *spec, struct result *res)
{
	struct run run = { .s = s, .spec = *spec, .res = res, .first = res->times.n };
	const struct program *program = spec->pattern->program;
	uint64_t fit = each_max_loops(s->settings, spec, s->plan->ranks), warmup;
	bool root = session_is_root(s), first = !res->visits && !res->dropped, single, late;
	void *tally = NULL;
	enum stop stop;
	int err;

	res->spec = spec;
	s->part.vectors.after_barriers = res->after_barriers;
	start_point_clock(&run);
	err = sync_compare_if_due(&s->sync);
	if (err)
		session_abort(s, err);
	part_build(s, &run.spec, 1);
	load_start(s, spec);
	find_or_restore_loops(&run);
	res->loops = res->loops < fit ? res->loops : fit;
	part_build(s, &run.spec, res->loops);
	if (wants_stamps(s, spec))
		part_alloc_stamps(s, spec->collective ? 2 * res->loops : res->loops,
				  spec->rank_times || spec->collective);
	/*
	 * no warm-up for plain rounds, because detect_slow_point() has run iterations; none in
	 * later visits either if a round is a single iteration
	 */
	single = !first && res->loops == 1 && !program;
	warmup = single || (run.plain && spec->check != CHECK_ONCE) ? 0 : s->plan->warmup;
	for (uint64_t i = 0; i < warmup && !session_is_over(s); i++) {
		run_repetition(&run, false, false);
		late = root && session_out_of_time(s);
		session_decide(s, late ? STOP_TIME_LIMIT : STOP_NOT, run.signal);
	}
	if (root && first)
		samples_clear(&s->sink->samples, s->job->size);
	/* the time of a later visit includes its warm-up, because it has no pilot */
	run.start_s = first ? clock_wall() : run.begin_s;
	stop = repeat_until_stop(&run);
	if (spec->collective && !spec->collective->in_a_row && block_give_up_starts(s, res)) {
		run.first = 0;
		stop = repeat_until_stop(&run);
	}
	res->again_s = clock_wall() - run.start_s;
	res->repeated_s += res->again_s;
	run.plain |= stop == STOP_SLOW;
	load_stop(s);
	if (program)
		tally = program->tally(s, s->part.state);
	if (tally && res->tally) {
		program->add(res->tally, tally);
		free(tally);
	} else if (tally) {
		res->tally = tally;
	}
	if (!session_is_over(s) && first)
		verify(&run);
	if (first || stop != STOP_CI)
		res->stop = stop;
	if ((stop != STOP_SIGNAL || res->times.n > run.first) && result_end_visit(res))
		session_abort(s, error_report("no memory for samples"));
	res->spent_s += clock_wall() - run.begin_s;
	if (root)
		load_summarise(s, res);
}

void measure(struct session *s, const struct spec *spec, struct result *res)
{
	*res = (struct result){ .spec = spec };
	measure_visit(s, spec, res);
	if (session_is_root(s))
		measure_summarise(s, res);
	session_bcast(s, &res->time, sizeof(res->time));
}
