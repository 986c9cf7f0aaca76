/* SPDX-License-Identifier: Apache-2.0 */
/* What is reported: results, their figures, and what the sections of all of them need. */
#ifndef NETBENCH_CMD_REPORT_TYPES_H
#define NETBENCH_CMD_REPORT_TYPES_H

#include <jansson.h>
#include <stddef.h>

#include "analyse/require.h"
#include "base/error.h"
#include "result/row.h"
#include "show/svg.h"

/* A result file, read and checked by result_read_bytes. */
struct document {
	const char *path;
	json_t *json;
	char *bytes;
	size_t nbytes;
	size_t figure;			/* number of that which it is in, from 0 */
	size_t nfound;			/* findings of this and of those before it */
};

/* Pictures of results that have the same columns. */
struct page_figure {
	char **svg;
	size_t n;
	char why[ERROR_TEXT];		/* why not all pictures are there; "": they are */
};

/* What a report is of; `used` collects the columns of its tables, for report_definitions. */
struct report {
	struct document *docs;
	size_t n;
	struct page_figure *figures;		/* in HTML */
	size_t nfigures;
	enum rate_unit rates;
	const char *title, *site, *author, *date;
	struct figures found;		/* of all, in their order */
	struct requirements required;	/* by --require, judged */
	json_t *used;
};

#endif
