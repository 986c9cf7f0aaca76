/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/collective/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sort.h"
#include "measure/result.h"
#include "measure/session.h"
#include "measure/sink/sink.h"

/*
 * An operation is late if its start is delayed by more than LATE_SHARE of the median operation
 * time, and by more than LATE_LEAST_S.
 */
#define LATE_SHARE 0.05
#define LATE_LEAST_S 100e-9
#define LATE_MOST 0.01		/* a block may have at most this share of late operations */
/* the time between two starts is not doubled if the block would then last longer than this, s */
#define BLOCK_MOST_S 40e-3

bool block_has_agreed_starts(const struct session *s)
{
	return s->sync.scheme == SYNC_WINDOW && !(s->ep->caps & CAP_VIRTUAL) &&
	       !s->part.vectors.after_barriers;
}

bool block_quantile_is_reliable(uint64_t late, uint64_t kept, double q)
{
	return (double)late <= (1 - q) / 2 * (double)(late + kept);
}

bool block_give_up_starts(struct session *s, struct result *res)
{
	bool gives_up = false;

	if (!block_has_agreed_starts(s) || session_is_over(s))
		return false;
	if (session_is_root(s))
		gives_up = !block_quantile_is_reliable(
			res->late, (uint64_t)s->sink->samples.ranks[0].own_n, 0.5);
	session_bcast(s, &gives_up, sizeof(gives_up));
	if (!gives_up)
		return false;
	if (session_is_root(s))
		samples_clear(&s->sink->samples, s->job->size);
	result_drop_visits(res);
	res->late = 0;
	res->after_barriers = s->part.vectors.after_barriers = true;
	return true;
}

/* Makes sure that the arrays for a block have room for n operations. */
static void reserve_block(struct session *s, uint64_t n)
{
	struct vectors *v = &s->part.vectors;

	if (n <= v->room)
		return;
	free(v->starts);
	free(v->mine);
	v->starts = calloc(n, sizeof(*v->starts));
	v->mine = calloc(n, sizeof(*v->mine));
	v->room = n;
	if (!v->starts || !v->mine)
		session_abort(s, error_report("no memory for a block of operations"));
}

void block_start(struct session *s)
{
	struct vectors *v = &s->part.vectors;
	struct round *r = &s->part.round;
	double first_s, distance_s = v->distance_s;

	reserve_block(s, r->count);
	first_s = sync_agree_starts(&s->sync, &distance_s);
	for (uint64_t i = 0; i < r->count; i++)
		v->starts[i] = (first_s + (double)i * distance_s) / s->ep->tick_s;
	r->block.starts = v->starts;
}

/*
 * Computes the time and the delay of each operation on this rank from its stamps. Returns the
 * median time, s.
 */
static double compute_operation_times(struct session *s)
{
	const struct round *r = &s->part.round;
	struct vectors *v = &s->part.vectors;
	double *took = r->stamps, tick = s->ep->tick_s;

	reserve_block(s, r->count);
	for (uint64_t i = 0; i < r->count; i++) {
		double begin = r->stamps[2 * i], end = r->stamps[2 * i + 1];
		double start = r->block.starts ? r->block.starts[i] : begin;

		v->mine[i].took = (end - start) * tick;
		v->mine[i].late = (begin - start) * tick;
		/*
		 * took[] shares its memory with the stamps; this overwrites only stamps that are no
		 * longer needed
		 */
		took[i] = (end - start) * tick;
	}
	return median(took, r->count);
}

/*
 * One operation over all ranks, s. first, middle, last: the first, the median and the last end
 * among the ranks, counted from the start. late: the largest delay of a rank's start.
 */
struct operation_ends {
	double first, middle, last, late;
};

/*
 * Gathers the operation times of all ranks on rank 0: n values of rank 0, then n of rank 1, ... The
 * caller frees them. Returns NULL on other ranks. Collective.
 */
static struct operation_times *gather_times(struct session *s, uint64_t n)
{
	const struct operation_times *mine = s->part.vectors.mine, *part;
	const uint64_t most = JOB_GATHER_MAX / sizeof(*mine);
	struct operation_times *all = NULL;

	if (session_is_root(s))
		all = calloc(n * (uint64_t)s->job->size, sizeof(*all));
	if (session_is_root(s) && !all)
		session_abort(s, error_report("no memory for samples"));
	for (uint64_t first = 0; first < n; first += most) {
		uint64_t now = n - first < most ? n - first : most;

		part = session_gather(s, mine + first, now * sizeof(*mine));
		for (uint64_t r = 0; all && r < (uint64_t)s->job->size; r++)
			memcpy(all + r * n + first, part + r * now, now * sizeof(*all));
	}
	return all;
}

static struct operation_ends summarise_operation(const struct operation_times *all, uint64_t i,
						 uint64_t n, uint32_t P, double *room)
{
	struct operation_ends d = { .first = INFINITY };

	for (uint32_t r = 0; r < P; r++) {
		const struct operation_times *l = &all[r * n + i];

		room[r] = l->took;
		d.first = fmin(d.first, l->took);
		d.last = fmax(d.last, l->took);
		d.late = fmax(d.late, l->late);
	}
	d.middle = median(room, P);
	return d;
}

/*
 * Adds to the samples the operations that no rank started more than `limit_s` late. Also adds each
 * rank's own times of these operations. Returns 0, or non-zero if memory runs out.
 */
static int add_block_samples(struct session *s, struct result *res,
			     const struct operation_times *all, const struct operation_ends *d,
			     double limit_s)
{
	struct samples *x = &s->sink->samples;
	uint64_t n = s->part.round.count;
	double *times = s->part.round.stamps;
	uint64_t kept = 0;
	int err = 0;

	for (uint64_t i = 0; i < n; i++) {
		if (d[i].late > limit_s) {
			res->late++;
			continue;
		}
		times[kept++] = d[i].last;
		if (x->middles.n < x->most)
			err |= series_push(&x->middles, d[i].middle) ||
			       series_push(&x->firsts, d[i].first) ||
			       series_push(&x->spreads, d[i].last > 0 ? 1 - d[i].first / d[i].last
								      : 0);
		for (uint32_t r = 0; r < res->spec->collective->shape.P; r++) {
			x->ranks[r].own_s += all[r * n + i].took;
			x->ranks[r].own_n++;
		}
	}
	return err || (kept && samples_add_times(x, times, kept));
}

bool block_collect(struct session *s, struct result *res, bool keep, double *own_s,
		   double *median_s)
{
	uint32_t P = res->spec->collective->shape.P;
	uint64_t n = s->part.round.count, late = 0;
	struct vectors *v = &s->part.vectors;
	struct operation_times *all;
	double *room, *lasts, limit;
	struct operation_ends *d;
	bool again = false;

	*own_s = compute_operation_times(s);
	all = gather_times(s, n);
	if (session_is_root(s)) {
		room = calloc(P, sizeof(*room));
		lasts = calloc(n, sizeof(*lasts));
		d = calloc(n, sizeof(*d));
		if (!room || !lasts || !d)
			session_abort(s, error_report("no memory for samples"));
		for (uint64_t i = 0; i < n; i++) {
			d[i] = summarise_operation(all, i, n, P, room);
			lasts[i] = d[i].last;
		}
		*median_s = median(lasts, n);
		limit = fmax(LATE_SHARE * *median_s, LATE_LEAST_S);
		for (uint64_t i = 0; i < n; i++)
			late += d[i].late > limit;
		sync_adjust_lead(&s->sync, d[0].late, *median_s * (double)n);
		again = (double)late > LATE_MOST * (double)n && n > 1 &&
			block_has_agreed_starts(s) && 2 * v->distance_s * (double)n < BLOCK_MOST_S;
		v->distance_s *= again ? 2 : 1;
		if (!again && keep && add_block_samples(s, res, all, d, limit))
			session_abort(s, error_report("no memory for samples"));
		free(all);
		free(room);
		free(lasts);
		free(d);
	}
	session_bcast(s, &again, sizeof(again));
	return again;
}

double block_hidden_share(double alone_s, double all_s, double compute_s)
{
	return fmin(fmax(1 - (all_s - compute_s) / alone_s, 0), 1);
}
