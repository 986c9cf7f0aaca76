/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured times with the LogGP parameters fitted to them, as a result: what model --measure has
 * just measured, or what model --fit reads from such a result.
 */
#ifndef NETBENCH_CMD_MODEL_FITTED_H
#define NETBENCH_CMD_MODEL_FITTED_H

#include "model/fit.h"
#include "result/report.h"

/* Every so manieth size is not used in the fit, and tells how well the fit predicts. */
#define FITTED_HELD_OUT 4

struct fitted {
	size_t nsizes, nrounds;
	double *size;				/* rising, B */
	double *y[FIT_SERIES];			/* [round * nsizes + i], s */
	/* the same: FIT_SEND once more, by delayed messages; NaN where there is none */
	double *delayed;
	double systematic_s[FIT_SERIES];
	uint64_t seed;
	enum rate_unit rates;			/* of fitted_text */
	struct fit fit;
};

#define FITTED_NCOLS 12
extern const enum column_id fitted_cols[FITTED_NCOLS];

/*
 * How far the two overheads of sending may be apart, relative, before that is warned of (METHODS
 * 2.3).
 */
#define FITTED_APART 0.25

/*
 * Calls back for each segment in which they are farther apart than that, and than the interval
 * explains, with a text that says so.
 */
void fitted_doubts(const struct fitted *f, void (*warn)(void *arg, const char *text), void *arg);

/* The name of a series' column, which its samples in a row have as well. */
const char *fitted_column(int series);

/*
 * Memory for so many; zeros, and no delayed messages. 0, or -1 without memory; fitted_free is for
 * either.
 */
int fitted_alloc(struct fitted *f, size_t nsizes, size_t nrounds);
void fitted_free(struct fitted *f);

/* Fits, without the sizes held out. ST_OK, or ST_FAILED (reported). */
int fitted_fit(struct fitted *f);

/*
 * The row of the i-th size of a struct fitted; its samples, a new reference, are each round's
 * values.
 */
void fitted_row(const void *fitted, size_t i, const struct record *rec, struct row *row);

/*
 * Adds to a summary: "trusted", a sentence that says up to which sizes which half round trip may be
 * relied on; "loggp", the parameters of the segment that FITTED_TYPICAL bytes belong to, or of the
 * nearest that has all, as --like reads them, null where they are not determined; "segments", all
 * parameters of each with their intervals; "held_out", how well sizes that the fit has not seen are
 * predicted.
 */
#define FITTED_TYPICAL 1024
void fitted_summary(const struct fitted *f, json_t *summary);

/* The same for people; for free(). NULL without memory. */
char *fitted_text(const struct fitted *f);

#endif
