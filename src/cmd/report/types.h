/* SPDX-License-Identifier: Apache-2.0 */
/* A report: its results, and data that several sections need. */
#ifndef NETBENCH_CMD_REPORT_TYPES_H
#define NETBENCH_CMD_REPORT_TYPES_H

#include <jansson.h>
#include <stddef.h>

#include "analyse/require.h"
#include "result/row.h"

/* A result file, read and checked by result_read_bytes. */
struct document {
	const char *path;
	json_t *json;
	char *bytes;
	size_t nbytes;
	size_t nfound;			/* number of figures of this result and all earlier ones */
};

/* A report. `used` collects the columns of its tables for report_definitions. */
struct report {
	struct document *docs;
	size_t n;
	enum rate_unit rates;
	struct figures found;		/* figures of all results, in order */
	struct requirements required;	/* requirements of --require, already judged */
	json_t *used;
};

#endif
