/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_COMPARE_ROWS_H
#define NETBENCH_SHOW_COMPARE_ROWS_H

#include "analyse/compare/two.h"
#include "result/report.h"

/*
 * Writes a record whose columns follow from what is compared, a row for each point. ST_OK,
 * ST_USAGE or ST_FAILED.
 */
int compare_write(const struct output_options *o, struct record *rec, const struct compared *all,
		  const struct row_pairs *p, const struct measure *m);

#endif
