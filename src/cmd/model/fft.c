/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/fft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/loggp.h"
#include "cmd/model/logp.h"
#include "model/collective.h"
#include "model/fft.h"
#include "show/model/butterfly.h"
#include "show/units.h"

static const char no_hybrid[] = "n/a: one remap is not enough, n/P < P";

/* Refuses points or processors that are no power of two, more processors than points. */
static int check(uint64_t n, uint64_t P)
{
	if (n & (n - 1))
		return error_usage("value '%llu' of '--fft' is not a power of two",
				   (unsigned long long)n);
	if (P & (P - 1))
		return error_usage(
			"'--fft' needs a number of processors that is a power of two, not P=%llu",
			(unsigned long long)P);
	if (P > n)
		return error_usage("'--fft' needs at least as many points as processors: "
				   "%llu points, P=%llu", (unsigned long long)n,
				   (unsigned long long)P);
	return ST_OK;
}

/* The time of --butterfly, by default 1 cycle; NaN if it was not given and times are in seconds. */
static int take_butterfly(struct asked *a)
{
	a->butterfly = a->cycles ? 1 : NAN;
	return a->o->butterfly ? logp_parse_time("butterfly", a->o->butterfly, a->cycles,
						 &a->butterfly)
			       : ST_OK;
}

/* ---- LogP ---- */

int fft_plan_logp(struct asked *a)
{
	int err = logp_take(a, true);
	struct logp_fft f;
	char of[64];

	for (size_t i = 0; i < a->processors.n && !err; i++)
		err = check(a->o->fft, a->processors.v[i]);
	if (!err)
		err = take_butterfly(a);
	if (err)
		return err;
	a->n = FFT_LAYOUTS * a->processors.n;
	a->ranks = a->logp.P;
	snprintf(of, sizeof(of), ", FFT of %llu points", (unsigned long long)a->o->fft);
	logp_describe(a, of);
	if (!a->ranks)
		return ST_OK;
	f = logp_fft(&a->logp, (double)a->o->fft);
	snprintf(a->footer, sizeof(a->footer),
		 "\nfastest: %s   (communication: block and cyclic %s, hybrid %s)",
		 f.hybrid < f.block ? "hybrid" : "block or cyclic",
		 scaled_time(f.block, a->cycles).s,
		 isnan(f.hybrid) ? "n/a" : scaled_time(f.hybrid, a->cycles).s);
	json_object_set_new(a->rec.summary, "fastest_layout",
			    json_string(f.hybrid < f.block ? "hybrid" : "block or cyclic"));
	return ST_OK;
}

/* The cells that both models have: of a layout that takes `time` on P processors. */
static void fill(const struct asked *a, enum fft_layout layout, double time, uint64_t P,
		 const struct record *rec, struct row *row)
{
	double computing = (double)fft_butterflies(a->o->fft, P) * a->butterfly;

	ROW_PUT(row, rec, { COL_LAYOUT, val_text(fft_layouts[layout]) },
		{ COL_MODEL_TIME, val_real(time) }, { COL_COMPUTING, val_real(computing) },
		{ COL_TOTAL, val_real(time + computing) });
}

void fft_fill_logp(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	static const char *const remarks[2][2] = {
		/* by whether it is a bound, and the fastest */
		{ "", "fastest" },
		{ "lower bound: g <= 2o", "fastest, lower bound: g <= 2o" },
	};
	struct logp p = a->logp;
	enum fft_layout layout = i % FFT_LAYOUTS;
	bool hybrid = layout == FFT_HYBRID, best;
	struct logp_fft f;
	double time;

	p.P = (uint32_t)a->processors.v[i / FFT_LAYOUTS];
	f = logp_fft(&p, (double)a->o->fft);
	time = hybrid ? f.hybrid : f.block;
	best = time <= (f.hybrid < f.block ? f.hybrid : f.block);
	fill(a, layout, time, p.P, rec, row);
	ROW_PUT(row, rec, { COL_RANKS, val_uint(p.P) },
		{ COL_LECTURE, val_real(hybrid ? f.hybrid_lecture : f.block_lecture) },
		{ COL_BUTTERFLIES, val_uint(fft_butterflies(a->o->fft, p.P)) },
		{ COL_REMARK, val_text(isnan(time) ? no_hybrid
						   : remarks[f.lower_bound][best]) });
	if (!hybrid || isfinite(f.remaps))
		row_set(row, rec, COL_REMAPS, val_uint(hybrid ? (uint64_t)f.remaps : 0));
}

/* ---- LogGP ---- */

int fft_plan_loggp(struct asked *a)
{
	static const uint64_t usual[] = { 16 };
	size_t len;
	int err = loggp_take(a);

	if (!err)
		err = form_sizes(a, usual, LENGTH(usual));
	if (!err)
		err = a->ranks ? check(a->o->fft, a->ranks)
			       : error_usage("'--fft' needs a number of ranks, as in "
					     "'--loggp P=8'");
	if (!err)
		err = take_butterfly(a);
	if (err)
		return err;
	len = strlen(a->title);
	snprintf(a->title + len, sizeof(a->title) - len, ", FFT of %llu points",
		 (unsigned long long)a->o->fft);
	a->n = FFT_LAYOUTS * a->plan.sizes.n;
	return ST_OK;
}

void fft_fill_loggp(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	enum fft_layout layout = i % FFT_LAYOUTS;
	uint64_t size = a->plan.sizes.v[i / FFT_LAYOUTS];
	struct collective_fft f = collective_fft(&a->loggp, (double)size, (double)a->o->fft,
						 a->ranks);
	double time = layout == FFT_HYBRID ? f.hybrid : f.block,
	       best = f.hybrid < f.block ? f.hybrid : f.block;

	fill(a, layout, time, a->ranks, rec, row);
	ROW_PUT(row, rec, { COL_POINT_SIZE, val_uint(size) },
		{ COL_REMARK, val_text(isnan(time) ? no_hybrid : time <= best ? "fastest" : "") });
}

int fft_draw(const struct asked *a)
{
	static const char *const idle[] = { "butterfly", "sizes", "max-size", "min-size" };

	for (size_t i = 0; i < LENGTH(idle); i++)
		if (settings_exclude(a->st, "picture", idle[i]))
			return ST_USAGE;
	if (!a->ranks)
		return error_usage("'--picture' is of one FFT: give 'P' one value");
	if (a->o->fft > BUTTERFLY_MOST)
		return error_usage("'--fft' of %llu points is too large for a picture: at most %d",
				   (unsigned long long)a->o->fft, BUTTERFLY_MOST);
	(a->o->picture == PICTURE_TEXT ? butterfly_put_text : butterfly_put_svg)(
		a->o->fft, a->ranks, a->title);
	return ST_OK;
}
