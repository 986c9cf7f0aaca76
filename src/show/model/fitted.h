/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a fit of LogGP's parameters: rows, summary, and text for people. */
#ifndef NETBENCH_SHOW_MODEL_FITTED_H
#define NETBENCH_SHOW_MODEL_FITTED_H

#include "analyse/fitted.h"
#include "result/report.h"

#define FITTED_NCOLS 12
extern const enum column_id fitted_cols[FITTED_NCOLS];

/*
 * If the two estimates of the sending overhead have a larger relative difference than this, there
 * is a warning (METHODS 2.3).
 */
#define FITTED_APART 0.25

/*
 * Returns true if the two estimates of o_s in segment k differ by more than FITTED_APART and the
 * interval does not explain the difference. Writes the warning into `text`.
 */
#define FITTED_DOUBT 200
bool fitted_overheads_differ(const struct fitted *f, size_t k, char text[FITTED_DOUBT]);

/* Returns the name of a series' column. The samples of the series in a row have the same name. */
const char *fitted_column(int series);

/*
 * Fills in the row of the i-th size. Sets row->samples to the value of each series in each round
 * (new reference).
 */
void fitted_row(const struct fitted *f, size_t i, const struct record *rec, struct row *row);

/*
 * Adds to a summary:
 * "trusted": a sentence that says which half round trips are reliable, and up to which sizes;
 * "loggp": the parameters of typical_segment, in the form that --like reads; null if not
 * determined;
 * "segments": all parameters of each segment with their intervals;
 * "held_out": the errors of predictions for sizes that were not used in the fit.
 */
void fitted_summary(const struct fitted *f, json_t *summary);

/* Returns the fit as text for people. The caller frees it. */
char *fitted_text(const struct fitted *f);

#endif
