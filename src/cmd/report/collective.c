/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/collective.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/guidelines.h"
#include "base/values.h"
#include "cmd/report/tables.h"
#include "result/document.h"
#include "show/page/facts.h"
#include "show/units.h"

static bool is_collective(const json_t *doc)
{
	return !strcmp(document_command(doc), "collective");
}

bool report_has_collectives(const struct report *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (is_collective(r->docs[i].json))
			return true;
	return false;
}

static void put_row(struct page *to, const struct quickest *q)
{
	const struct guideline_row *row = q->row;

	page_row(to);
	page_cell_say(to, "%s", row->operation);
	page_number_say(to, (double)row->ranks, "%llu", (unsigned long long)row->ranks);
	page_cell_say(to, "%s", row->root && *row->root ? row->root : "-");
	page_number_say(to, (double)q->from, "%s", in_bytes((double)q->from).s);
	page_cell_say(to, "%s", row->algorithm);
	page_number_say(to, row->time_s, "%s", scaled(row->time_s, "s").s);
	page_cell_say(to, "%s", row->behind_barrier ? "behind a barrier" : "until the last is out");
}

void report_collectives(struct page *to, const struct report *r)
{
	page_paragraph_say(to, "For each operation: from which size on which of the measured "
			       "algorithms has the shortest median time,\nand that time at this "
			       "size.");
	for (size_t i = 0; i < r->n; i++) {
		struct guideline_rows rows = { .n = 0 };
		struct quickest *list = NULL;
		size_t n = 0;

		if (is_collective(r->docs[i].json) &&
		    !guideline_rows_read(&rows, r->docs[i].json))
			list = guidelines_quickest(&rows, &n);
		if (n) {
			page_heading(to, 3, NULL, "Result %zu", i + 1);
			page_table(to);
			page_column(to, false, "operation");
			page_column(to, true, "ranks");
			page_column(to, false, "root");
			page_column(to, true, "from");
			page_column(to, false, "quickest");
			page_column(to, true, "time");
			page_column(to, false, "what");
			for (size_t k = 0; k < n; k++)
				put_row(to, &list[k]);
		}
		free(list);
		guideline_rows_free(&rows);
	}
}
