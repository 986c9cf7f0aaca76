/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "measure/spaced.h"
#include "measure/sweep.h"

/* In virtual time: no more iterations of a round, events of a farm, messages of all ranks. */
#define VIRTUAL_LOOPS 64
#define VIRTUAL_EVENTS 1024
#define VIRTUAL_MESSAGES 2e6

const struct pattern *shape_pattern(const struct benchmark *what, const struct point *pt)
{
	return pt->pattern ? pt->pattern : what->pattern;
}

static int place_of(int rank, const struct pattern_args *a)
{
	if (!a->ranks)
		return rank < a->size ? rank : -1;
	for (int i = 0; i < a->size; i++)
		if (a->ranks[i] == rank)
			return i;
	return -1;
}

/* A point's arguments for this rank; `draw` as in benchmark.arguments. */
static struct pattern_args arguments(const struct bench *b, const struct point *pt, uint64_t draw)
{
	struct pattern_args a = { .rank = b->job->rank, .size = b->job->size, .len = pt->size, .window = pt->window, .batch = pt->batch,
				  .pairs = b->job->size / 2, .room = b->shape.ranks, .bufs = b->shape.bufs };

	if (b->what->arguments)
		b->what->arguments(&a, pt, draw);
	a.place = place_of(b->job->rank, &a);
	return a;
}

/* ---- buffers ---- */

static size_t buf_len(size_t len)
{
	return len < FARM_CONTROL ? FARM_CONTROL : len;
}

/* A point's arguments for no rank in particular. */
static struct pattern_args general(const struct benchmark *what, const struct point *pt, int size)
{
	struct pattern_args a = { .rank = -1, .size = size, .len = pt->size };

	if (what->arguments)
		what->arguments(&a, pt, 0);
	return a;
}

/* The most that any rank needs at a point. */
static int most_bufs(const struct run *run, const struct point *pt, int size)
{
	struct pattern_args a = general(run->cmd->bench, pt, size);

	if (pt->ranks > size)
		return 0;
	return a.farm ? farm_most_bufs(a.farm) : shape_pattern(run->cmd->bench, pt)->bufs(0, a.size);
}

size_t shape_heap(const struct run *run, int size, size_t len)
{
	size_t most = 0;

	for (size_t i = 0; i < run->npoints; i++) {
		size_t n = (size_t)most_bufs(run, &run->points[i], size);

		most = n > most ? n : most;
	}
	return most * ((buf_len(len) + BACKEND_PAGE - 1) / BACKEND_PAGE * BACKEND_PAGE);
}

static int own_bufs(const struct bench *b, const struct point *pt)
{
	struct pattern_args a;

	if (pt->ranks > b->job->size)
		return 0;
	a = arguments(b, pt, 0);
	if (a.farm)
		return farm_bufs(a.farm, b->job->rank);
	if (b->what->redraws && b->what->redraws(pt))	/* may get any place but the first */
		a.place = a.place < 0 ? a.size - 1 : a.place;
	return a.place < 0 ? 0 : shape_pattern(b->what, pt)->bufs(a.place, a.size);
}

int shape_open(struct bench *b, size_t len)
{
	const struct run *run = b->run;
	struct shape *s = &b->shape;
	size_t carried = b->ep->limits.content_len;
	int n = 0;

	len = buf_len(len);
	s->ranks = calloc(b->what->arguments ? (size_t)b->job->size : 1, sizeof(*s->ranks));
	for (size_t i = 0; i < run->npoints && s->ranks; i++) {
		int own = own_bufs(b, &run->points[i]);

		n = own > n ? own : n;
	}
	s->bufs = calloc((size_t)n + 1, sizeof(*s->bufs));
	if (!s->ranks || !s->bufs)
		return error_report("no memory for a list of buffers");
	for (s->nbufs = 0; s->nbufs < n; s->nbufs++) {
		void *buf = run->be->alloc(b->ep, len);

		if (!buf)
			return error_report("no memory for messages of %zu bytes", len);
		s->bufs[s->nbufs] = buf;
		/* by the rank whose memory it is, so that every page is there, and near */
		memset(buf, 1, carried < len ? carried : len);
	}
	return ST_OK;
}

void shape_close(struct bench *b)
{
	farm_close(b->shape.farm);
	for (int i = 0; i < b->shape.nbufs; i++)
		b->run->be->release(b->ep, b->shape.bufs[i]);
	free(b->shape.bufs);
	free(b->shape.ranks);
	round_free(&b->round);
	round_free(&b->single);
}

/* ---- one point ---- */

void shape_build(struct bench *b, const struct point *pt, uint64_t loops)
{
	struct pattern_args a = arguments(b, pt, b->seq + 1);

	farm_close(b->shape.farm);
	b->shape.farm = NULL;
	round_reset(&b->round);
	if (a.farm) {
		b->shape.farm = farm_open(b->ep, a.farm, a.len, b->shape.bufs);
		b->round.timed = farm_is_timed(a.farm, b->job->rank);
		if (!b->shape.farm)
			bench_give_up(b, error_report("no memory for a farm"));
	} else if (shape_pattern(b->what, pt)->build(&a, &b->round)) {
		bench_give_up(b, error_report("no memory for a round"));
	}
	b->shape.pause_s = b->what->pause_s ? b->what->pause_s(b, pt) : -1;
	b->round.count = loops;
}

static int arm(struct bench *b)
{
	static const struct round none;
	const struct backend *be = b->run->be;
	int err = be->arm ? be->arm(b->ep, b->shape.pause_s < 0 ? &b->round : &none) : ST_OK;

	return err || !b->shape.farm ? err : farm_arm(b->shape.farm, b->round.count);
}

/* Stamps are rank 0's; that others observe themselves is told by a pointer that they do not follow. */
static int run_farm(struct bench *b, double *seconds)
{
	static double none;
	double *stamps = b->round.stamps ? b->round.stamps : &none;

	return farm_run(b->shape.farm, b->observed ? stamps : NULL, seconds);
}

static int run(struct bench *b, double *seconds)
{
	if (b->shape.farm)
		return run_farm(b, seconds);
	if (b->shape.pause_s >= 0)
		return spaced_run(b->ep, &b->round, b->shape.pause_s, seconds);
	return b->run->be->run(b->ep, &b->round, seconds);
}

/* In virtual time by occupying the processor, of which nobody else has any need then. */
static void delay(struct bench *b, double seconds)
{
	struct timespec t = { (time_t)seconds, (long)(fmod(seconds, 1) * 1e9) };

	if (b->ep->caps & CAP_VIRTUAL)
		b->run->be->compute(b->ep, seconds);
	else
		while (nanosleep(&t, &t) && errno == EINTR)
			;
}

double shape_run(struct bench *b, double *late_s)
{
	double seconds, late = 0;
	int err = arm(b);
	uint64_t before;

	if (!err && late_s)
		*late_s = late = sync_start(&b->sync);
	else if (!err)
		b->job->kind->barrier(b->job);
	if (!err && late_s && b->round.delay_s > 0)
		delay(b, b->round.delay_s);
	before = load_work(b->load);
	b->round_start = clock_count();
	if (!err)
		err = run(b, &seconds);
	b->work_done = (double)(load_work(b->load) - before);
	if (err)
		bench_give_up(b, err);
	return seconds + late;
}

uint64_t shape_virtual_loops(const struct benchmark *what, const struct point *pt, int size, uint64_t most)
{
	struct pattern_args a = general(what, pt, size);
	double messages = a.farm ? 3.0 * farm_ranks(a.farm) : (double)shape_pattern(what, pt)->bufs(0, a.size) * a.size;
	double loops = fmax(1, fmin(a.farm ? VIRTUAL_EVENTS : VIRTUAL_LOOPS, VIRTUAL_MESSAGES / messages));

	return loops < (double)most ? (uint64_t)loops : most;
}
