/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the output of b_eff of HPCC FPGA (https://github.com/pc2/HPCC_FPGA). Its table becomes a
 * result of beff by the rule hpcc-fpga.
 */
#ifndef NETBENCH_RESULT_FOREIGN_HPCC_H
#define NETBENCH_RESULT_FOREIGN_HPCC_H

#include <jansson.h>
#include <stdbool.h>

/*
 * The definition of these results: of the best times of all ranks, the longest one counts
 * (DEFINITIONS 3).
 */
#define HPCC_DEFINITION "beff.ring.hpcc-fpga.v2"

/* Returns true if a text has the heading of the table. Other lines may precede it. */
bool hpcc_has_table(const char *text);

/*
 * Makes a result from a text with one table. The columns of *doc have only a name. Settings that
 * the text states before the table are in environment.program. Without a line "b_eff = ..." the
 * result is interrupted. Returns ST_OK and sets *doc to a new reference; or ST_USAGE if there is no
 * row, or a second table (reported).
 */
int hpcc_parse(const char *path, const char *text, json_t **doc);

#endif
