/* SPDX-License-Identifier: Apache-2.0 */
/* A fit of LogGP's parameters as a result: rows, summary, and text for people. */
#ifndef NETBENCH_SHOW_MODEL_FITTED_H
#define NETBENCH_SHOW_MODEL_FITTED_H

#include "analyse/fitted.h"
#include "result/report.h"

#define FITTED_NCOLS 12
extern const enum column_id fitted_cols[FITTED_NCOLS];

/* The two overheads of sending may differ by this, relative, before a warning (METHODS 2.3). */
#define FITTED_APART 0.25

/*
 * True if they differ by more than that in segment k, and by more than the interval explains. Sets
 * `text` to the warning.
 */
#define FITTED_DOUBT 200
bool fitted_doubt(const struct fitted *f, size_t k, char text[FITTED_DOUBT]);

/* The name of a series' column; its samples in a row have the same name. */
const char *fitted_column(int series);

/* Fills the row of the i-th size. row->samples, a new reference, are the values of each round. */
void fitted_row(const struct fitted *f, size_t i, const struct record *rec, struct row *row);

/*
 * Adds to a summary:
 * "trusted", a sentence: the half round trips to rely on, up to their sizes;
 * "loggp", the parameters of fitted_typical as --like reads them, null if not determined;
 * "segments", all parameters of each with their intervals;
 * "held_out", the errors of predictions for sizes that the fit has not seen.
 */
void fitted_summary(const struct fitted *f, json_t *summary);

/* The same as text for people, for free(). */
char *fitted_text(const struct fitted *f);

#endif
