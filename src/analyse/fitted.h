/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured times with the LogGP parameters fitted to them (METHODS 2.3). The times come from model
 * --measure, or from its result by model --fit. Pure.
 */
#ifndef NETBENCH_ANALYSE_FITTED_H
#define NETBENCH_ANALYSE_FITTED_H

#include "model/fit.h"
#include "result/row.h"

/* Of this number of sizes, one is held out of the fit, to show how well the fit predicts. */
#define FITTED_HELD_OUT 4

struct fitted {
	size_t nsizes, nrounds;
	double *size;	/* increasing, B; y and delayed are in the same allocation */
	double *y[FIT_SERIES];			/* [round * nsizes + i], s */
	/*
	 * Send times by the experiment with delayed messages, in the layout of y; NaN if not
	 * measured.
	 */
	double *delayed;
	double systematic_s[FIT_SERIES];
	uint64_t seed;
	enum rate_unit rates;			/* unit of rates in fitted_text */
	struct fit fit;
};

/*
 * Allocates zeros for the sizes and rounds, and NaN for delayed messages. Call fitted_free() at the
 * end.
 */
void fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds);
void fitted_free(struct fitted *f);

/* Fits all sizes except those held out. Returns ST_OK, or ST_FAILED (reported). */
int fitted_estimate(struct fitted *f);
bool fitted_is_held_out(const struct fitted *f, size_t i);

/* Median over the rounds of a series' values y at the i-th size; NaN without memory. */
double fitted_median(const struct fitted *f, const double *y, size_t i);

/* Relative error of the fit at the i-th size, against the median of series q. */
double fitted_error(const struct fitted *f, int q, size_t i);

/*
 * The send overhead of a segment from delayed messages, in s. It is a median of differences of
 * times; NaN if their spread is too wide.
 */
struct fit_value fitted_delayed_overhead(const struct fitted *f, size_t segment);

/*
 * The median and the largest relative error of the fit, and the number of sizes. With held_out:
 * errors of all series at the sizes that the fit did not use. Otherwise: errors of the half round
 * trips in segments that follow a line.
 */
struct fitted_errors {
	size_t sizes;
	double middle, worst;
};
struct fitted_errors fitted_errors(const struct fitted *f, bool held_out);

/*
 * The segment of FITTED_TYPICAL bytes. If that lacks parameters, the nearest segment that has all
 * of them; if none has, still the segment of FITTED_TYPICAL bytes.
 */
#define FITTED_TYPICAL 1024
const struct fit_segment *typical_segment(const struct fitted *f);

#endif
