/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a cell of CSV. */
#ifndef NETBENCH_RESULT_CSV_H
#define NETBENCH_RESULT_CSV_H

#include "result/out.h"
#include "result/row.h"

/* Appends a cell to the text, in quotes if necessary. Appends nothing for VAL_NONE. */
void csv_put(struct out *o, const struct value *v);

#endif
