/* SPDX-License-Identifier: Apache-2.0 */
/* Writes cells of CSV. */
#ifndef NETBENCH_RESULT_CSV_H
#define NETBENCH_RESULT_CSV_H

#include "result/out.h"
#include "result/row.h"

/* Appends a cell, in quotes if necessary; appends nothing for VAL_NONE. */
void csv_put(struct out *o, const struct value *v);

#endif
