/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a result whose rows are all known. */
#pragma once

#include "result/report.h"

/* Writes the rows by report_row. Returns ST_OK, or the error of report_row. */
typedef int rows_fn(void *arg, struct outlets *r, const struct record *rec);

/*
 * Writes a record with its rows to all outputs of the options. ST_OK, ST_USAGE, or ST_FAILED
 * (reported).
 */
int show_result(const struct output_options *o, const struct record *rec, rows_fn *rows, void *arg);
