/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured times with the LogGP parameters fitted to them (METHODS 2.3). model --measure has just
 * measured them, or model --fit reads them from such a result. Pure.
 */
#ifndef NETBENCH_ANALYSE_FITTED_H
#define NETBENCH_ANALYSE_FITTED_H

#include "model/fit.h"
#include "result/row.h"

/* One size in this many is not used in the fit; it shows how well the fit predicts. */
#define FITTED_HELD_OUT 4

struct fitted {
	size_t nsizes, nrounds;
	double *size;			/* rising, B; y and delayed lie in the same memory */
	double *y[FIT_SERIES];			/* [round * nsizes + i], s */
	/* the same: FIT_SEND by delayed messages; NaN if not measured */
	double *delayed;
	double systematic_s[FIT_SERIES];
	uint64_t seed;
	enum rate_unit rates;			/* of fitted_text */
	struct fit fit;
};

/*
 * Allocates zeros for the sizes and rounds, but NaN for delayed messages; for fitted_free.
 */
void fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds);
void fitted_free(struct fitted *f);

/* Fits, without the sizes held out. ST_OK, or ST_FAILED (reported). */
int fitted_fit(struct fitted *f);
bool fitted_is_held_out(const struct fitted *f, size_t i);

/* The median over the rounds of a series' values y at the i-th size; NaN without memory. */
double fitted_median(const struct fitted *f, const double *y, size_t i);

/* The relative error of the fit against that median. */
double fitted_error(const struct fitted *f, int q, size_t i);

/*
 * The overhead of sending in a segment by delayed messages, s. It is a median of differences of
 * times: NaN if their spread is too wide.
 */
struct fit_value fitted_delayed(const struct fitted *f, size_t segment);

/*
 * The median and the largest error of the fit, relative, and the number of sizes. held_out: of all
 * series at the sizes that the fit has not seen. Else of the half round trips that follow lines.
 */
struct fitted_errors {
	size_t sizes;
	double middle, worst;
};
struct fitted_errors fitted_errors(const struct fitted *f, bool held_out);

/*
 * The segment of FITTED_TYPICAL bytes, or the nearest segment with all parameters; the former if no
 * segment has them.
 */
#define FITTED_TYPICAL 1024
const struct fit_segment *fitted_typical(const struct fitted *f);

#endif
