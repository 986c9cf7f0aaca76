/* SPDX-License-Identifier: Apache-2.0 */
/* The columns and rows of each file that are drawn. */
#ifndef NETBENCH_SHOW_CHART_SELECT_H
#define NETBENCH_SHOW_CHART_SELECT_H

#include "show/chart/picture.h"

/* What commands of numbered benchmarks begin with; others have commands of their own, or none. */
#define PLOT_FAMILY "atlas-"
const char *select_family(const char *benchmark);

/*
 * Selects the columns that are asked for, or what suits the commands. ST_OK, or ST_USAGE (reported)
 * if a file lacks one.
 */
int select_columns(struct picture *pic);

/*
 * The column that is drawn of a result, or of a benchmark in it unless that is "", if none is asked
 * for: the usual one of its command, else the first with a unit that is not a setting, else NULL.
 */
const char *select_usual(const json_t *doc, const char *benchmark);

/* Reports that a file has no such column, or none of numbers. ST_USAGE. */
int select_none(const struct plot_run *run, const char *name);

/* True if a result has a number in some row of a column. */
bool select_has_numbers(const json_t *doc, const char *name);

/* True if a column is half a round trip, as a median of one kind or another. */
bool select_is_half_rtt(const char *column);

/* Checks --where against the files. ST_OK, or ST_USAGE (reported). */
int select_check_where(const struct album *a, const struct chart_request *ask);

/* True if --where, the picture's benchmark and the file's pattern select a row. */
bool select_takes(const struct picture *pic, const struct plot_run *run, const json_t *row);

/* The column with the relative error of the fit of a column: "half_rtt_s": "half_rtt_error". */
struct text select_error(const char *column);

#endif
