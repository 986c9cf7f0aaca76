/* SPDX-License-Identifier: Apache-2.0 */
/* A fit of LogGP's parameters as a result: rows, summary, and words for people. */
#ifndef NETBENCH_SHOW_MODEL_FITTED_H
#define NETBENCH_SHOW_MODEL_FITTED_H

#include "analyse/fitted.h"
#include "result/report.h"

#define FITTED_NCOLS 12
extern const enum column_id fitted_cols[FITTED_NCOLS];

/*
 * How far the two overheads of sending may be apart, relative, before that is warned of (METHODS
 * 2.3).
 */
#define FITTED_APART 0.25

/*
 * True if in segment k they are farther apart than that, and than the interval explains: `text` then
 * reports it.
 */
#define FITTED_DOUBT 200
bool fitted_doubt(const struct fitted *f, size_t k, char text[FITTED_DOUBT]);

/* The name of a series' column, which its samples in a row have as well. */
const char *fitted_column(int series);

/*
 * The row of the i-th size of a struct fitted; its samples, a new reference, are each round's
 * values.
 */
void fitted_row(const struct fitted *f, size_t i, const struct record *rec, struct row *row);

/*
 * Adds to a summary: "trusted", a sentence that says up to which sizes which half round trip may be
 * relied on; "loggp", the parameters of the segment that FITTED_TYPICAL bytes belong to, or of the
 * nearest that has all, as --like reads them, null where they are not determined; "segments", all
 * parameters of each with their intervals; "held_out", how well sizes that the fit has not seen are
 * predicted.
 */
void fitted_summary(const struct fitted *f, json_t *summary);

/* The same for people; for free(). NULL without memory. */
char *fitted_text(const struct fitted *f);

#endif
