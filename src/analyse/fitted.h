/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured times, and the LogGP parameters fitted to them (METHODS 2.3). model --measure measures
 * the times; model --fit reads them from its result. Pure.
 */
#ifndef NETBENCH_ANALYSE_FITTED_H
#define NETBENCH_ANALYSE_FITTED_H

#include "model/fit.h"
#include "result/row.h"

/*
 * Of every FITTED_HELD_OUT sizes one is held out. The fit does not use this size, so the error at
 * this size shows how well the fit predicts.
 */
#define FITTED_HELD_OUT 4

struct fitted {
	size_t nsizes, nrounds;
	double *size;	/* sizes in B, increasing; one allocation holds size, y and delayed */
	/* measured times in s: y[series][round * nsizes + i] */
	double *y[FIT_SERIES];
	/*
	 * Send times from the experiment with delayed messages, indexed like y; NaN if not
	 * measured.
	 */
	double *delayed;
	double systematic_s[FIT_SERIES];
	uint64_t seed;
	enum rate_unit rates;			/* unit in which fitted_text shows rates */
	struct fit fit;
};

/*
 * Allocates the arrays for the sizes and rounds. All values of y become 0, and all values of
 * `delayed` become NaN. Call fitted_free() at the end.
 */
void fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds);
void fitted_free(struct fitted *f);

/* Fits all sizes except those held out. Returns ST_OK, or ST_FAILED (reported). */
int fitted_estimate(struct fitted *f);
bool fitted_is_held_out(const struct fitted *f, size_t i);

/* Median over the rounds of a series' values y at the i-th size; NaN without memory. */
double fitted_median(const struct fitted *f, const double *y, size_t i);

/* Relative error of the fit at the i-th size. The reference is the median of series q. */
double fitted_error(const struct fitted *f, int q, size_t i);

/*
 * Returns the send overhead of a segment in s, from the experiment with delayed messages. It is a
 * median of differences of times; NaN if their spread is too wide.
 */
struct fit_value fitted_delayed_overhead(const struct fitted *f, size_t segment);

/*
 * The median and the largest relative error of the fit, and the number of sizes. held_out true:
 * errors of all series at the sizes that the fit did not use. held_out false: errors of the half
 * round trips in those segments that a line fits.
 */
struct fitted_errors {
	size_t sizes;
	double middle, worst;
};
struct fitted_errors fitted_errors(const struct fitted *f, bool held_out);

/*
 * Returns the segment of FITTED_TYPICAL bytes. If this segment lacks parameters, returns the
 * nearest segment that has all parameters. If there is no such segment, returns that of
 * FITTED_TYPICAL bytes.
 */
#define FITTED_TYPICAL 1024
const struct fit_segment *typical_segment(const struct fitted *f);

#endif
