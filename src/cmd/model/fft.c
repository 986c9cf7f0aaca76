/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/fft.h"

#include <math.h>

#include "base/error.h"
#include "cmd/model/loggp.h"
#include "cmd/model/logp.h"
#include "model/collective.h"
#include "model/fft.h"
#include "show/model/butterfly.h"
#include "show/units.h"

/*
 * Checks that the numbers of points and processors are powers of two, and that there are no more
 * processors than points. Returns ST_OK or ST_USAGE (reported).
 */
static int check_powers_of_two(uint64_t n, uint64_t P)
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

/*
 * Checks the numbers of processors, and parses the time of --butterfly. Without --butterfly the
 * time is 1 cycle, or NaN if times are in seconds. Returns ST_OK or ST_USAGE (reported).
 */
static int plan_points(struct model_request *a, const uint64_t *P, size_t n)
{
	int err = ST_OK;

	for (size_t i = 0; i < n && !err; i++)
		err = check_powers_of_two(a->o->fft, P[i]);
	a->butterfly = a->cycles ? 1 : NAN;
	if (!err && a->o->butterfly)
		err = logp_parse_time("butterfly", a->o->butterfly, a->cycles, &a->butterfly);
	text_add(&a->title, ", FFT of %llu points", (unsigned long long)a->o->fft);
	return err;
}

/* ---- LogP ---- */

static int plan_logp(struct model_request *a)
{
	int err = logp_read_parameters(a, true);
	struct fft_costs f;
	const char *fastest;

	if (!err)
		err = plan_points(a, a->processors.v, a->processors.n);
	if (err || !a->ranks)
		return err;
	f = logp_fft(&a->logp, (double)a->o->fft);
	fastest = f.hybrid < f.block ? "hybrid" : "block or cyclic";
	text_add(&a->footer,
		 "\nfastest: %s   (communication: block and cyclic %s, hybrid %s)", fastest,
		 scaled_time(f.block, a->cycles).s,
		 isnan(f.hybrid) ? "n/a" : scaled_time(f.hybrid, a->cycles).s);
	json_object_set_new(a->rec.summary, "fastest_layout", json_string(fastest));
	return ST_OK;
}

/*
 * Writes a row for each layout on P processors, with points of `size` bytes. Only the columns of
 * the form appear.
 */
static void put_layouts(struct model_request *a, struct fft_costs f, uint64_t P, uint64_t size)
{
	uint64_t butterflies = fft_butterflies(a->o->fft, P);
	double computing = (double)butterflies * a->butterfly;

	for (enum fft_layout layout = 0; layout < FFT_LAYOUTS; layout++) {
		bool hybrid = layout == FFT_HYBRID;
		double time = hybrid ? f.hybrid : f.block, remaps = hybrid ? f.remaps : 0;
		bool best = time <= (f.hybrid < f.block ? f.hybrid : f.block);
		const char *remark = best ? "fastest" : "";
		struct row row = { 0 };

		if (f.lower_bound && !hybrid)
			remark = best ? "fastest, lower bound: g > L + 2o"
				      : "lower bound: g > L + 2o";
		if (isnan(time))
			remark = "n/a: one remap is not enough, n/P < P";
		ROW_PUT(&row, &a->rec, { COL_LAYOUT, val_text(fft_layouts[layout]) },
			{ COL_RANKS, val_uint(P) }, { COL_POINT_SIZE, val_uint(size) },
			{ COL_MODEL_TIME, val_real(time) },
			{ COL_LECTURE, val_real(hybrid ? f.hybrid_lecture : f.block_lecture) },
			{ COL_COMPUTING, val_real(computing) },
			{ COL_TOTAL, val_real(time + computing) },
			{ COL_BUTTERFLIES, val_uint(butterflies) },
			{ COL_REMAPS, isfinite(remaps) ? val_uint((uint64_t)remaps) : FORM_NONE },
			{ COL_REMARK, val_text(remark) });
		form_write(a, &row);
	}
}

static void put_logp(struct model_request *a)
{
	struct logp p = a->logp;

	for (size_t i = 0; i < a->processors.n; i++) {
		p.P = (uint32_t)a->processors.v[i];
		put_layouts(a, logp_fft(&p, (double)a->o->fft), p.P, 0);
	}
}

/* ---- LogGP ---- */

static int plan_loggp(struct model_request *a)
{
	if (!a->ranks)
		return error_usage("'--fft' needs a number of ranks, as in '--loggp P=8'");
	return plan_points(a, &a->ranks, 1);
}

static void put_loggp(struct model_request *a)
{
	const double n = (double)a->o->fft;
	const struct numbers *sizes = &a->plan.sizes;

	for (size_t i = 0; i < sizes->n; i++)
		put_layouts(a, collective_fft(&a->loggp, (double)sizes->v[i], n, a->ranks),
			    a->ranks, sizes->v[i]);
}

static int draw_butterfly(const struct model_request *a)
{
	static const char *const unused[] = { "butterfly", "sizes", "max-size", "min-size" };

	for (size_t i = 0; i < LENGTH(unused); i++)
		if (settings_exclude(a->st, "picture", unused[i]))
			return ST_USAGE;
	if (!a->ranks)
		return error_usage("'--picture' shows one FFT: give 'P' only one value");
	if (a->o->fft > BUTTERFLY_MOST)
		return error_usage("'--fft' of %llu points is too large for a picture: at most %d",
				   (unsigned long long)a->o->fft, BUTTERFLY_MOST);
	butterfly_put(a->o->fft, a->ranks, a->title.s, a->o->picture == PICTURE_SVG);
	return ST_OK;
}

const struct form fft_logp_form = {
	FORM_BY("logp", NULL, "fft", "logp fft butterfly picture"), "model.logp-fft.v1",
	FORM_COLUMNS(COL_LAYOUT, COL_RANKS, COL_MODEL_TIME, COL_LECTURE, COL_COMPUTING, COL_TOTAL,
		     COL_BUTTERFLIES, COL_REMAPS, COL_REMARK),
	FORM_SPARE(COL_REMARK, COL_REMAPS, COL_BUTTERFLIES),
	FORM_HEADS(9, [1] = "P", [2] = "communication"), .plan = plan_logp, .put_rows = put_logp,
	.draw = draw_butterfly
};

const struct form fft_loggp_form = {
	FORM_BY("loggp", "like", "fft", LOGGP_OPTIONS " fft butterfly picture" FORM_SIZED),
	"model.loggp-fft.v1",
	FORM_COLUMNS(COL_POINT_SIZE, COL_LAYOUT, COL_MODEL_TIME, COL_COMPUTING, COL_TOTAL,
		     COL_REMARK),
	FORM_HEADS(6, [2] = "communication"), .plan = loggp_read_parameters, FORM_SIZES(16),
	.then = plan_loggp, .put_rows = put_loggp, .draw = draw_butterfly
};
