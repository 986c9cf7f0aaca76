/* SPDX-License-Identifier: Apache-2.0 */
/* How a format writes a record (record.h). table.c, plain.c, csv.c and json.c each define one. */
#ifndef NETBENCH_RESULT_FORMAT_H
#define NETBENCH_RESULT_FORMAT_H

#include "result/out.h"
#include "result/record.h"

/*
 * The functions of a format. Each function writes a part of the result and commits it. Each returns
 * ST_OK or ST_FAILED (reported).
 */
struct format_ops {
	int (*begin)(struct out *o, const struct record *rec);
	int (*row)(struct out *o, const struct record *rec, const struct row *row);
	int (*end)(struct out *o, const struct record *rec);
};
extern const struct format_ops format_table, format_plain, format_csv, format_json;

#endif
