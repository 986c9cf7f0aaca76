/* SPDX-License-Identifier: Apache-2.0 */
/* The columns and rows of each file in a picture. */
#ifndef NETBENCH_SHOW_CHART_SELECT_H
#define NETBENCH_SHOW_CHART_SELECT_H

#include "show/chart/picture.h"

/* The beginning of the commands of numbered benchmarks; "" for other benchmarks. */
#define PLOT_FAMILY "atlas-"
const char *select_family(const char *benchmark);

/*
 * Selects the requested columns, or the usual ones of the commands. ST_OK, or ST_USAGE (reported)
 * if a file lacks a column.
 */
int select_columns(struct picture *pic);

/*
 * The column to draw if the request names none. It is the usual column of the command or, unless
 * `benchmark` is "", of that benchmark. Else it is the first column with a unit that is no setting;
 * NULL: none.
 */
const char *select_usual(const json_t *doc, const char *benchmark);

/* Reports that a file lacks a column, or has another type in it. ST_USAGE. */
int select_none(const struct plot_run *run, const char *name);

/* True if a result has a number in some row of a column. */
bool select_has_numbers(const json_t *doc, const char *name);

/* True if a column is half a round trip: a median of means or of single values. */
bool select_is_half_rtt(const char *column);

/* Checks --where against the files. ST_OK, or ST_USAGE (reported). */
int select_check_where(const struct album *a, const struct chart_request *ask);

/* True if --where, the picture's benchmark and the file's pattern select a row. */
bool select_takes(const struct picture *pic, const struct plot_run *run, const json_t *row);

/* The column with the relative error of the fit of a column: "gap_s": "gap_error". */
struct text select_error(const char *column);

#endif
