/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured times with the LogGP parameters fitted to them (METHODS 2.3): what model --measure has
 * just measured, or what model --fit reads from such a result. Pure.
 */
#ifndef NETBENCH_ANALYSE_FITTED_H
#define NETBENCH_ANALYSE_FITTED_H

#include "model/fit.h"
#include "result/row.h"

/* Every so manieth size is not used in the fit, and tells how well the fit predicts. */
#define FITTED_HELD_OUT 4

struct fitted {
	size_t nsizes, nrounds;
	double *size;			/* rising, B; y and delayed lie in the same memory */
	double *y[FIT_SERIES];			/* [round * nsizes + i], s */
	/* the same: FIT_SEND once more, by delayed messages; NaN where there is none */
	double *delayed;
	double systematic_s[FIT_SERIES];
	uint64_t seed;
	enum rate_unit rates;			/* of fitted_text */
	struct fit fit;
};

/*
 * Memory for so many; zeros, and no delayed messages. 0, or -1 without memory; fitted_free is for
 * either.
 */
int fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds);
void fitted_free(struct fitted *f);

/* Fits, without the sizes held out. ST_OK, or ST_FAILED (reported). */
int fitted_fit(struct fitted *f);
bool fitted_is_held_out(const struct fitted *f, size_t i);

/* Of a series' values y at the i-th size, over the rounds; NaN without memory. */
double fitted_median(const struct fitted *f, const double *y, size_t i);

/* How far the fit is off that, relative. */
double fitted_error(const struct fitted *f, int q, size_t i);

/*
 * The overhead of sending in a segment by delayed messages, a time of its own: not determined where
 * the differences that it is made of do not tell it.
 */
struct fit_value fitted_delayed(const struct fitted *f, size_t segment);

/*
 * The median and the largest error of the fit, relative, and the number of sizes: of all series
 * where the fit has not seen the values, or of the half round trips that follow lines.
 */
struct fitted_errors {
	size_t sizes;
	double middle, worst;
};
struct fitted_errors fitted_errors(const struct fitted *f, bool held_out);

/*
 * The segment with all parameters that is nearest to the one that FITTED_TYPICAL bytes belong to;
 * that one if none has.
 */
#define FITTED_TYPICAL 1024
const struct fit_segment *fitted_typical(const struct fitted *f);

#endif
