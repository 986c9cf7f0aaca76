/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/loaded.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "result/document.h"
#include "result/row.h"

bool report_is_load(const json_t *doc)
{
	return !strcmp(document_command(doc), "load");
}

/* Writes a factor and its interval, if there is one. Returns whether there is one. */
static bool put_factor(struct page *to, const char *before, const json_t *row, enum column_id id)
{
	double value = row_number(row, id), lo = row_number(row, id + 1),
	       hi = row_number(row, id + 2);

	if (isnan(value))
		return false;
	page_say(to, "%s**%s**", before, plain(value, 3).s);
	if (!isnan(lo) && !isnan(hi))
		page_say(to, " (95 %% interval %s to %s)", plain(lo, 3).s, plain(hi, 3).s);
	return true;
}

void report_load(struct page *to, const json_t *doc)
{
	const json_t *row;
	size_t i;

	page_say(to, "factors by which load slows the victim that suffers most");
	json_array_foreach(document_rows(doc), i, row) {
		bool rate = !strcmp(row_text(row, COL_VICTIM), "bandwidth"), known;

		page_item_say(to, 2, "%s beside %s at load %s", row_text(row, COL_VICTIM),
			      row_text(row, COL_AGGRESSOR),
			      plain(row_number(row, COL_LOAD_ASKED), 3).s);
		if (row_number(row, COL_RATE_ASKED) > 0)
			page_say(to, ", %s events a second",
				 plain(row_number(row, COL_RATE_ASKED), 6).s);
		known = put_factor(to, rate ? ": rate " : ": median ", row, COL_FACTOR_P50);
		known |= put_factor(to, known ? ", 99 % point " : ": 99 % point ", row,
				    COL_FACTOR_P99);
		if (!known)
			page_say(to, ": no factor, %s", row_text(row, COL_NOTE));
	}
}
