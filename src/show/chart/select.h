/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the columns and rows of each file in a picture. */
#ifndef NETBENCH_SHOW_CHART_SELECT_H
#define NETBENCH_SHOW_CHART_SELECT_H

#include "show/chart/picture.h"

/*
 * Prefix of the commands of numbered benchmarks. select_command_prefix returns this prefix for a
 * numbered benchmark, and "" for any other benchmark.
 */
#define PLOT_FAMILY "atlas-"
const char *select_command_prefix(const char *benchmark);

/*
 * Selects the requested columns, or the usual ones of the commands. Returns ST_OK, or ST_USAGE if a
 * file lacks a column (reported).
 */
int select_columns(struct picture *pic);

/*
 * Returns the column to draw if the request names none. It is the usual column of the command, or
 * of `benchmark` unless that is "". If neither has a usual column, it is the first column that has
 * a unit and is not a setting; NULL: none.
 */
const char *select_usual_column(const json_t *doc, const char *benchmark);

/* Reports that a file lacks a column, or that the column has another type. Returns ST_USAGE. */
int select_report_missing(const struct plot_run *run, const char *name);

/* Returns true if any row of a result has a number in a column. */
bool select_has_numbers(const json_t *doc, const char *name);

/*
 * Returns true if a column is the usual half round trip: the median of means or of single values.
 */
bool select_is_half_rtt(const char *column);

/* Checks that the columns of --where exist in some file. Returns ST_OK, or ST_USAGE (reported). */
int select_check_where(const struct album *a, const struct chart_request *ask);

/*
 * Returns true if a row meets --where and belongs to the picture's benchmark and to the file's
 * pattern.
 */
bool select_accepts(const struct picture *pic, const struct plot_run *run, const json_t *row);

/*
 * Returns the name of the column that holds the relative error of a fitted column, such as
 * "gap_error" for "gap_s".
 */
struct text select_error_column(const char *column);

#endif
