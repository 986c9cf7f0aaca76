/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/fitted.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"
#include "base/stats.h"
#include "base/values.h"

/* The fit uses all sizes if there are fewer than this number. */
#define FEWEST_TO_HOLD_OUT 24

#define BOOTSTRAPS 400

void fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds)
{
	size_t n = nsizes * nrounds;

	f->nsizes = nsizes;
	f->nrounds = nrounds;
	f->size = memory_new(nsizes + (FIT_SERIES + 1) * n, sizeof(*f->size));
	for (size_t q = 0; q < FIT_SERIES; q++)
		f->y[q] = f->size + nsizes + q * n;
	f->delayed = f->size + nsizes + FIT_SERIES * n;
	for (size_t i = 0; i < n; i++)
		f->delayed[i] = NAN;
}

void fitted_free(struct fitted *f)
{
	free(f->size);
	*f = (struct fitted){ 0 };
}

bool fitted_is_held_out(const struct fitted *f, size_t i)
{
	return f->nsizes >= FEWEST_TO_HOLD_OUT && i % FITTED_HELD_OUT == FITTED_HELD_OUT / 2;
}

int fitted_estimate(struct fitted *f)
{
	struct fitted rest = { 0 };
	struct fit_input in = { .nrounds = f->nrounds, .bootstraps = BOOTSTRAPS, .seed = f->seed };
	size_t n = 0, *kept = memory_new(f->nsizes, sizeof(*kept));
	int err;

	for (size_t i = 0; i < f->nsizes; i++)
		if (!fitted_is_held_out(f, i))
			kept[n++] = i;
	fitted_alloc(&rest, n, f->nrounds);
	for (size_t i = 0; i < n; i++) {
		rest.size[i] = f->size[kept[i]];
		for (int q = 0; q < FIT_SERIES; q++)
			for (size_t r = 0; r < f->nrounds; r++)
				rest.y[q][r * n + i] = f->y[q][r * f->nsizes + kept[i]];
	}
	in.nsizes = n;
	in.size = rest.size;
	for (int q = 0; q < FIT_SERIES; q++) {
		in.y[q] = rest.y[q];
		in.systematic_s[q] = f->systematic_s[q];
	}
	err = fit_estimate(&in, &f->fit);
	for (size_t k = 0; k < f->fit.nsegments; k++) {
		struct fit_segment *g = &f->fit.seg[k];

		g->first = kept[g->first];
		g->end = k + 1 < f->fit.nsegments ? kept[g->end] : f->nsizes;
	}
	fitted_free(&rest);
	free(kept);
	return err ? error_report("cannot fit %zu sizes of %zu rounds: needs 4 sizes, 2 rounds and "
				  "memory", f->nsizes, f->nrounds)
		   : ST_OK;
}

double fitted_median(const struct fitted *f, const double *y, size_t i)
{
	double *x = memory_new(f->nrounds, sizeof(*x)), m;

	for (size_t r = 0; r < f->nrounds; r++)
		x[r] = y[r * f->nsizes + i];
	m = median(x, f->nrounds);
	free(x);
	return m;
}

double fitted_error(const struct fitted *f, int q, size_t i)
{
	const struct fit_segment *g = fit_segment_of(&f->fit, f->size[i]);

	return fit_line(g, (enum fit_series)q, f->size[i]) / fitted_median(f, f->y[q], i) - 1;
}

struct fit_value fitted_delayed_overhead(const struct fitted *f, size_t segment)
{
	const struct fit_segment *g = &f->fit.seg[segment];
	double *room = memory_new(f->nsizes, sizeof(*room));
	double at_1_byte = fit_line(g, FIT_SEND, 1);
	struct series rounds = { .n = 0 };
	struct summary s;

	for (size_t r = 0; r < f->nrounds; r++) {
		double above;

		/* how far this round's send times are above the line, at the segment's sizes */
		for (size_t i = g->first; i < g->end; i++)
			room[i - g->first] = f->delayed[r * f->nsizes + i] -
					     fit_line(g, FIT_SEND, f->size[i]);
		above = median(room, g->end - g->first);
		if (!isnan(above) && series_push(&rounds, at_1_byte + above))
			break;
	}
	s = summarise(&rounds);
	series_free(&rounds);
	free(room);
	if (s.lo < 0)
		s.lo = 0;
	if (!(s.p50 > 0) || s.hi - s.lo > s.p50)
		return (struct fit_value){ NAN, NAN, NAN };
	return (struct fit_value){ s.p50, s.lo, s.hi };
}

struct fitted_errors fitted_errors(const struct fitted *f, bool held_out)
{
	double *off = memory_new(f->nsizes * FIT_SERIES, sizeof(*off));
	struct fitted_errors e = { .sizes = 0 };
	size_t n = 0;

	for (size_t i = 0; i < f->nsizes; i++) {
		if (!(held_out ? fitted_is_held_out(f, i)
			       : fit_segment_of(&f->fit, f->size[i])->follows[FIT_LATENCY]))
			continue;
		e.sizes++;
		for (int q = 0; q < (held_out ? FIT_SERIES : FIT_LATENCY + 1); q++) {
			off[n] = fabs(fitted_error(f, q, i));
			if (isfinite(off[n]))
				e.worst = fmax(e.worst, off[n++]);
		}
	}
	e.middle = median(off, n);
	free(off);
	return e;
}

const struct fit_segment *typical_segment(const struct fitted *f)
{
	const struct fit_segment *typical = fit_segment_of(&f->fit, FITTED_TYPICAL);
	const struct fit_segment *best = typical;
	long nearest = (long)f->fit.nsegments;

	for (const struct fit_segment *g = f->fit.seg; g < f->fit.seg + f->fit.nsegments; g++) {
		struct loggp p = fit_loggp(g);
		long off = labs(g - typical);

		if (off < nearest && !loggp_missing(&p)) {
			nearest = off;
			best = g;
		}
	}
	return best;
}
