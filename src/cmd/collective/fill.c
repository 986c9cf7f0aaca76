/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/collective/fill.h"

#include <math.h>

#include "base/sort.h"
#include "cmd/collective/guidelines.h"
#include "cmd/collective/plan.h"
#include "measure/collective/block.h"
#include "measure/sink/sink.h"
#include "model/predict.h"
#include "model/schedule/compose.h"

#define TOO_LATE "too many operations began late: other work uses these cores"

void label_collective(const struct session *s, const struct spec *spec, struct row *row)
{
	const struct record *rec = &s->sink->record;
	const struct collective *c = spec->collective;
	const char *root = spec->own;
	const char *name = c->algorithm	 ? c->algorithm->name
			   : c->composed ? c->composed->native
					 : "native";

	ROW_PUT(row, rec, { COL_OPERATION, val_text(operation_names[c->op]) },
		{ COL_ALGORITHM, val_text(name) },
		{ COL_RANKS, val_uint(c->shape.P) });
	if (root)
		row_put(row, rec, COL_ROOT, val_text(root));
}

/*
 * Bytes per operation as nccl-tests counts them. algbw is `all` divided by the time, busbw is
 * `busiest` (the bytes of the busiest rank) divided by the time.
 */
struct volume {
	double all, busiest;
};

static struct volume operation_bytes(const struct collective *c)
{
	double k = (double)c->shape.k, P = c->shape.P;

	switch (c->op) {
	case OPERATION_BARRIER: break;
	case OPERATION_BCAST:
	case OPERATION_REDUCE: return (struct volume){ k, k };
	case OPERATION_ALLREDUCE: return (struct volume){ k, 2 * k * (P - 1) / P };
	case OPERATION_REDUCE_SCATTER: return (struct volume){ k, k * (P - 1) / P };
	case OPERATION_SCATTER:
	case OPERATION_GATHER:
	case OPERATION_ALLGATHER:
	case OPERATION_ALLTOALL: return (struct volume){ P * k, (P - 1) * k };
	}
	return (struct volume){ NAN, NAN };
}

/* Returns `value`, the q-quantile, if block_quantile_is_reliable, else NaN. */
static double nan_unless_reliable(const struct result *res, double value, double q)
{
	return block_quantile_is_reliable(res->late, res->iteration.n, q) ? value : NAN;
}

/* Returns whether the operations began after a barrier, not at a common start. */
static bool began_after_barriers(const struct session *s, const struct result *res)
{
	return !(s->ep->caps & CAP_VIRTUAL) &&
	       (s->sync.scheme == SYNC_BARRIER || res->after_barriers);
}

static double median_or_nan(const struct series *x)
{
	struct summary s = summarise(x);

	return x->n ? s.p50 : NAN;
}

static void put_common_start_times(struct session *s, const struct result *res, struct row *row)
{
	const struct record *rec = &s->sink->record;
	const struct samples *x = &s->sink->samples;
	const struct summary *i = &res->iteration;
	struct volume v = operation_bytes(res->spec->collective);
	double time = nan_unless_reliable(res, i->p50, 0.5);

	ROW_PUT(row, rec, { COL_COLLECTIVE, val_real(time) },
		{ COL_COLLECTIVE_LO, val_real(isnan(time) ? NAN : i->lo) },
		{ COL_COLLECTIVE_HI, val_real(isnan(time) ? NAN : i->hi) },
		{ COL_COLLECTIVE_MIN, val_real(i->min) },
		{ COL_COLLECTIVE_P90, val_real(nan_unless_reliable(res, i->p90, 0.9)) },
		{ COL_COLLECTIVE_P99, val_real(nan_unless_reliable(res, i->p99, 0.99)) },
		{ COL_COLLECTIVE_MAX, val_real(nan_unless_reliable(res, i->max, 1)) },
		{ COL_RANK_P50, val_real(median_or_nan(&x->middles)) },
		{ COL_RANK_FIRST, val_real(median_or_nan(&x->firsts)) },
		{ COL_SPREAD, val_real(median_or_nan(&x->spreads)) },
		{ COL_LATE_STARTS, val_uint(res->late) },
		{ COL_ALGBW, val_real(v.all > 0 && time > 0 ? v.all / time : NAN) },
		{ COL_BUSBW, val_real(v.busiest > 0 && time > 0 ? v.busiest / time : NAN) });
	if (!(s->ep->caps & CAP_VIRTUAL))
		row_put(row, rec, COL_CLOCK_ERROR, val_real(s->sync.error_s));
	if (isnan(time))
		row_put(row, rec, COL_NOTE, val_text(TOO_LATE));
}

/*
 * Fills in times measured after a barrier. Each rank has the mean of its own times. As in OSU's
 * reports, the OSU columns are the mean, the smallest and the largest of these means. Unless the
 * user asked for barriers, the note says why there was no common start.
 */
static void put_barrier_times(struct session *s, const struct result *res, struct row *row)
{
	const struct record *rec = &s->sink->record;
	const struct rank_sums *r = s->sink->samples.ranks;
	double sum = 0, least = INFINITY, most = 0;
	uint32_t P = res->spec->collective->shape.P;

	for (uint32_t i = 0; i < P; i++) {
		double mean = r[i].own_s / r[i].own_n;

		sum += mean;
		least = fmin(least, mean);
		most = fmax(most, mean);
	}
	ROW_PUT(row, rec, { COL_BEHIND_BARRIER, val_real(res->iteration.p50) },
		{ COL_BEHIND_BARRIER_LO, val_real(res->iteration.lo) },
		{ COL_BEHIND_BARRIER_HI, val_real(res->iteration.hi) },
		{ COL_OSU_AVG, val_real(sum / P) }, { COL_OSU_MIN, val_real(least) },
		{ COL_OSU_MAX, val_real(most) });
	if (s->settings->m.sync != SYNC_BARRIER)
		row_put(row, rec, COL_NOTE,
			val_text(res->after_barriers ? TOO_LATE : s->sync.why));
}

void fill_collective(struct session *s, const struct result *res, struct row *row)
{
	const struct record *rec = &s->sink->record;
	const struct collective_options *o = s->settings->own;
	double loops = (double)res->loops;

	if (operation_adds(res->spec->collective->op))
		row_put(row, rec, COL_SUM, val_real(s->part.vectors.sum_s_per_B));
	if (res->spec->collective->in_a_row)
		ROW_PUT(row, rec, { COL_BACK_TO_BACK, val_real(res->time.p50 / loops) },
			{ COL_BACK_TO_BACK_LO, val_real(res->time.lo / loops) },
			{ COL_BACK_TO_BACK_HI, val_real(res->time.hi / loops) });
	else if (began_after_barriers(s, res))
		put_barrier_times(s, res, row);
	else
		put_common_start_times(s, res, row);
	row_put(row, rec, COL_OVERLAP, val_real(median_or_nan(&s->sink->samples.overlaps)));
	if (res->ranks_differ)
		row_put(row, rec, COL_NOTE, val_text("the ranks' results differ in some bits"));
	if (o->guidelines && !s->sink->drafts.writing)
		keep_guideline_row(s, res, row);
}

bool observe_collective(const struct session *s, const struct result *res, struct observation *o)
{
	const struct collective *c = res->spec->collective;

	o->what = OBSERVED_COLLECTIVE;
	o->operation = c->algorithm;
	o->ranks = c->shape.P;
	o->segment = c->shape.segment;
	o->sum_s_per_B = s->part.vectors.sum_s_per_B;
	o->root = c->root == ROOT_ROTATES ? 0 : (uint32_t)c->root;
	o->measured = nan_unless_reliable(res, res->iteration.p50, 0.5);
	return c->algorithm && !c->in_a_row && !began_after_barriers(s, res) && o->measured > 0;
}
