/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/part.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "job/watchdog.h"
#include "measure/collective/block.h"
#include "measure/collective/round.h"
#include "measure/plan/program.h"
#include "measure/session.h"
#include "measure/spaced.h"
#include "measure/verify/choice.h"
#include "measure/verify/each.h"
#include "measure/verify/verify.h"

/* ---- memory ---- */

/* Returns the length, in bytes, of a buffer for messages of `len` bytes. */
static size_t buffer_length(size_t len)
{
	return len < PROGRAM_BUFFER ? PROGRAM_BUFFER : len;
}

size_t part_memory_size(const struct plan *p, size_t len)
{
	int most = 0;

	for (size_t i = 0; i < p->n; i++) {
		int n = spec_max_buffers(&p->specs[i], p->ranks);

		most = n > most ? n : most;
	}
	len = buffer_length(len);
	return each_memory_size(p) + collective_memory_size(p) +
	       (size_t)most * ((len + BACKEND_PAGE - 1) / BACKEND_PAGE * BACKEND_PAGE);
}

static void close_program(struct part *part)
{
	if (part->state)
		part->pattern->program->close(part->state);
	part->state = NULL;
}

int part_open(struct session *s, size_t len, bool *timed)
{
	size_t carried = s->ep->limits.content_len, length = buffer_length(len);
	const struct plan *p = s->plan;
	struct part *part = &s->part;
	int rank = s->job->rank, size = s->job->size, most = 0, n;
	bool draws = false, here;

	*timed = false;
	for (const struct spec *spec = p->specs; spec < p->specs + p->n; spec++) {
		const struct program *program = spec->pattern->program;
		struct pattern_args a;

		draws |= spec->redraw;
		if (spec->needs > size)
			continue;
		if (program) {
			here = program->is_timed(spec->program_args, rank);
			n = program->buffers(spec->program_args, rank);
		} else {
			a = spec_pattern_args(spec, s->order, rank, size);
			/* if ranks are redrawn, this rank may get any place but 0 */
			if (spec->redraw && a.place < 0)
				a.place = a.size - 1;
			if (spec->rank_times && spec->groups) {
				a.place = 0;
				a.size = spec->groups->longest;
			}
			n = pattern_buffers(spec->pattern, &a, &here);
		}
		if (n < 0)
			return error_report("no memory for a list of buffers");
		most = n > most ? n : most;
		*timed |= here;
	}
	part->bufs = calloc((size_t)most + 1, sizeof(*part->bufs));
	part->drawn = draws ? calloc((size_t)size, sizeof(*part->drawn)) : NULL;
	if (!part->bufs || (draws && !part->drawn))
		return error_report("no memory for a list of buffers");
	for (; part->nbufs < most; part->nbufs++) {
		void *buf = s->ep->be->alloc(s->ep, length);

		if (!buf)
			return error_report("no memory for messages of %zu bytes", length);
		part->bufs[part->nbufs] = buf;
		/*
		 * this rank writes the buffer first, so that its pages exist in memory near the
		 * rank
		 */
		memset(buf, 1, carried < length ? carried : length);
	}
	return each_open(s) ? ST_FAILED : collective_open(s);
}

void part_close(struct session *s)
{
	struct part *part = &s->part;

	close_program(part);
	for (int i = 0; i < part->nbufs; i++)
		s->ep->be->release(s->ep, part->bufs[i]);
	each_close(s);
	collective_close(s);
	free(part->bufs);
	free(part->drawn);
	free(part->stamps.at);
	round_free(&part->round);
	round_free(&part->single);
}

void part_alloc_stamps(struct session *s, uint64_t loops, bool each)
{
	struct part *part = &s->part;

	if (!(session_is_root(s) || each) || part->stamps.room > loops)
		return;
	free(part->stamps.at);
	part->stamps.at = malloc((loops + 1) * sizeof(double));
	if (!part->stamps.at)
		session_abort(s, error_report("no memory for %llu time stamps",
					      (unsigned long long)loops));
	part->stamps.room = loops + 1;
	memset(part->stamps.at, 0, (loops + 1) * sizeof(double));
}

/* ---- building ---- */

/*
 * Returns a guess of the time of a message that was never timed, s. A message normally takes at
 * most ten times this guess.
 */
static double guess_message_time(uint64_t len)
{
	return 1e-3 + 1e-7 * (double)len;
}

/*
 * Stores a guess of the time of an iteration on any rank of the spec, s. Also stores the only peer
 * of this rank, or -1 if the rank has none or several.
 */
static void guess_iteration_time(struct part *part, const struct spec *spec)
{
	const struct round *r = &part->round;
	double mine = 0, message = guess_message_time(spec->size);

	part->expect.peer = r->nxfers ? r->xfers[0].peer : -1;
	for (const struct step *k = r->steps; k < r->steps + r->nsteps; k++)
		for (uint32_t i = 0; i < k->n; i++) {
			const struct xfer *x = &r->xfers[k->first + i];

			mine += k->repeat * (guess_message_time(x->len) + spec->pause_s);
			part->expect.peer = x->peer == part->expect.peer ? x->peer : -1;
		}
	if (part->pattern->program)
		part->expect.guess_s = part->pattern->program->longest(spec->program_args, message);
	else
		part->expect.guess_s = fmax(mine, 2 * spec->window * (message + spec->pause_s));
}

void part_build(struct session *s, const struct spec *spec, uint64_t loops)
{
	struct part *part = &s->part;
	struct round *r = &part->round;
	struct pattern_args a;
	int *list = part->drawn;
	struct rng rng;

	close_program(part);
	round_reset(r);
	part->pattern = spec->pattern;
	part->pause_s = s->job->rank ? 0 : spec->pause_s;
	if (spec->collective) {
		collective_build(s, spec->collective, loops, false);
	} else if (spec->pattern->program) {
		part->state = spec->pattern->program->open(s->ep, spec->program_args, spec->size,
							   part->bufs);
		r->timed = spec->pattern->program->is_timed(spec->program_args, s->job->rank);
		if (!part->state)
			session_abort(s, error_report("no memory for a %s", spec->pattern->name));
	} else {
		a = spec_pattern_args(spec, s->order, s->job->rank, s->job->size);
		if (spec->redraw) {
			/* rank 0 keeps place 0; all ranks draw the same order of the other ranks */
			rng_seed(&rng, s->settings->m.seed ^ (s->seq + 1) << 20);
			for (int i = 0; i < s->job->size; i++)
				list[i] = i;
			for (int i = s->job->size - 1; i > 1; i--) {
				int j = 1 + (int)(rng_next(&rng) % (uint64_t)i), rank = list[i];

				list[i] = list[j];
				list[j] = rank;
			}
			a.ranks = list;
			a.place = -1;
			for (int i = 0; i < a.size && a.place < 0; i++)
				if (list[i] == s->job->rank)
					a.place = i;
		}
		if (pattern_build(spec->pattern, &a, part->bufs, part->nbufs, r))
			session_abort(s, error_report("no memory for a round"));
	}
	r->count = loops;
	part->each.timed = each_is_timed(s->settings, spec);
	if (each_is_asked(s->settings, spec) && each_list_transfers(s, spec))
		session_abort(s, ST_FAILED);
	part->expect.size = spec->size;
	guess_iteration_time(part, spec);
}

/* ---- running ---- */

/*
 * Prepares the endpoint and the program, if any, for the next round. Returns ST_OK or the status of
 * a fault.
 */
static int arm(struct session *s)
{
	static const struct round none;
	const struct backend *be = s->ep->be;
	struct part *part = &s->part;
	bool by_messages = part->pattern->spaced || part->each.timed;
	int err = be->arm ? be->arm(s->ep, by_messages ? &none : &part->round) : ST_OK;

	if (err || !part->state)
		return err;
	return part->pattern->program->arm(part->state, part->round.count);
}

/*
 * The pace is taken from the longest rounds, which give the best estimate. For a rank without
 * transfers, the time of a round lasts until the next round begins.
 */
void part_announce_round(struct session *s, uint64_t count)
{
	struct part *part = &s->part;
	struct expectation *e = &part->expect;
	struct pace *p = &e->pace;
	double took = host_clock.tick_s * (double)(int64_t)(clock_count() - part->last.start);
	bool idle = !part->round.nxfers && !part->pattern->program;
	double iteration_s;

	if (!s->job->doing)
		return;
	if (p->last_count && p->last_count >= p->count) {
		p->iteration_s = (idle ? took : p->last_s) / (double)p->last_count;
		p->around_s[1] = p->last_count > p->count ? 0 : p->around_s[0];
		p->around_s[0] = fmax(0, took - p->last_s);
		p->count = p->last_count;
	}
	p->last_count = 0;
	iteration_s = p->count ? p->iteration_s : e->guess_s * endpoint_slowdown(s->ep);
	doing_round(s->job->doing, e->size,
		    (double)count * iteration_s + fmax(p->around_s[0], p->around_s[1]) +
			    part->round.delay_s, e->peer);
}

/*
 * Handles the status of arming or running a round: notes a lost peer, or aborts the job after any
 * other fault.
 */
static void handle_status(struct session *s, int err)
{
	if (err == ST_LOST)
		s->part.lost = true;
	else if (err)
		session_abort(s, err);
}

/*
 * Runs the current round or program. Sets *seconds to the time that it took. Returns ST_OK or the
 * status of a fault.
 */
static int run_round(struct session *s, double *seconds)
{
	static double none;
	struct part *part = &s->part;
	struct round *r = &part->round;
	/*
	 * rank 0 stores its stamps here; on other ranks any pointer but NULL only enables
	 * observation
	 */
	double *stamps = !part->observed ? NULL : r->stamps ? r->stamps : &none;

	if (part->pattern->program)
		return part->pattern->program->run(part->state, stamps, seconds);
	if (part->each.timed)
		return verify_timed_round(s, seconds);
	if (part->pattern->spaced)
		return spaced_run(s->ep, r, part->pause_s, seconds);
	return s->ep->be->run(s->ep, r, seconds);
}

double part_run(struct session *s, double *late_s)
{
	struct part *part = &s->part;
	struct work *work = &part->last.work;
	double delay_s = late_s ? part->round.delay_s : 0, seconds = 0, late = 0;
	double processor = background_cpu_s(s->computing.task), begun = clock_wall();
	struct timespec t = { (time_t)delay_s, (long)(fmod(delay_s, 1) * 1e9) };
	uint64_t before;
	int err = part->lost ? ST_LOST : arm(s);

	handle_status(s, err);
	part_announce_round(s, part->round.count);
	if (late_s && part->round.block.on && part->round.stamps && block_has_agreed_starts(s))
		block_start(s);
	else if (late_s)
		*late_s = late = sync_await_start(&s->sync);
	else
		s->job->kind->barrier(s->job);
	if (delay_s > 0 && s->ep->caps & CAP_VIRTUAL)
		s->ep->be->compute(s->ep, delay_s);
	else if (delay_s > 0)
		while (nanosleep(&t, &t) && errno == EINTR)
			;
	before = background_work(s->computing.task);
	part->last.start = clock_count();
	if (!part->lost)
		err = run_round(s, &seconds);
	work->units = (double)(background_work(s->computing.task) - before);
	work->processor_s = background_cpu_s(s->computing.task) - processor;
	work->around_s = clock_wall() - begun;
	doing_round_end(s->job->doing);
	handle_status(s, err);
	part->expect.pace.last_count = part->lost ? 0 : part->round.count;
	part->expect.pace.last_s = seconds * endpoint_slowdown(s->ep);
	seconds = part->lost ? 0 : seconds + late;
	work->seconds = seconds * endpoint_slowdown(s->ep);
	return seconds;
}
