/* SPDX-License-Identifier: Apache-2.0 */
/* A report: its results, and the data that several sections need. */
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
	size_t nfound;			/* findings of this result and of all before it */
};

/* The subject of a report. `used` collects the columns of its tables for report_definitions. */
struct report {
	struct document *docs;
	size_t n;
	enum rate_unit rates;
	struct figures found;		/* of all results, in their order */
	struct requirements required;	/* of --require, judged */
	json_t *used;
};

#endif
