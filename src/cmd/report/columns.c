/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/columns.h"

#include <math.h>
#include <string.h>

#include "result/columns.h"
#include "result/document.h"
#include "result/row.h"
#include "show/page/facts.h"

void table_add_column(struct table_columns *list, const json_t *doc, const char *name,
		      const char *head, json_t *used)
{
	const struct column *known = column_find(name);
	const json_t *c = result_column(doc, name);
	struct shown *s = list->c;
	json_t *entry = json_object_get(used, name), *heads, *item;
	size_t i;

	while (s < list->c + list->n && strcmp(s->name, name) != 0)
		s++;
	if (!c || s < list->c + list->n || list->n == SHOWN_MAX)
		return;
	if (!head)
		head = known && *known->head ? known->head : result_text(c, "name");
	*s = (struct shown){ result_text(c, "name"), head, result_text(c, "unit"),
			     !strcmp(result_text(c, "type"), "text") };
	list->n++;
	if (!entry) {
		entry = json_pack("{s:O?, s:O?, s:[]}", "unit", json_object_get(c, "unit"),
				  "definition", json_object_get(c, "definition"), "heads");
		json_object_set_new(used, name, entry);
	}
	heads = json_object_get(entry, "heads");
	json_array_foreach(heads, i, item)
		if (!strcmp(json_string_value(item), head))
			return;
	json_array_append_new(heads, json_string(head));
}

void table_write(struct page *to, const struct table_columns *list, const json_t *rows)
{
	char buf[64];
	json_t *row, *v;
	size_t i;

	page_table(to);
	for (const struct shown *c = list->c; c < list->c + list->n; c++)
		page_column(to, !c->text, "%s", rate_head(buf, sizeof(buf), c->head, list->rates));
	json_array_foreach(rows, i, row) {
		page_row(to);
		for (const struct shown *c = list->c; c < list->c + list->n; c++) {
			v = json_object_get(row, c->name);
			page_number(to, json_is_number(v) ? json_number_value(v) : NAN);
			if (!v || json_is_null(v))
				page_say(to, "-");
			else if (json_is_real(v) && *c->unit)
				page_text(to, format_rate(buf, sizeof(buf), json_real_value(v),
							  c->unit, list->rates));
			else
				page_text(to, value_text(to, v, ""));
		}
	}
}

json_t *rows_of_benchmark(const json_t *rows, const char *benchmark)
{
	json_t *chosen = json_array(), *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (!*benchmark || !strcmp(row_text(row, COL_BENCHMARK), benchmark))
			json_array_append(chosen, row);
	return chosen;
}

json_t *rows_count_texts(const json_t *rows, const char *name)
{
	json_t *counts = json_object(), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *text = result_text(row, name);
		json_int_t n = json_integer_value(json_object_get(counts, text));

		json_object_set_new(counts, text, json_integer(n + 1));
	}
	return counts;
}

bool rows_differ(const json_t *rows, const char *name)
{
	json_t *row, *first = NULL;
	size_t i;

	json_array_foreach(rows, i, row) {
		json_t *v = json_object_get(row, name);

		if (!v || json_is_null(v))
			continue;
		if (first && !json_equal(first, v))
			return true;
		first = v;
	}
	return false;
}

bool rows_have(const json_t *rows, const char *name)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const json_t *v = json_object_get(row, name);

		if (v && !json_is_null(v))
			return true;
	}
	return false;
}

double rows_sum(const json_t *rows, const char *name)
{
	double sum = 0;
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		sum += json_number_value(json_object_get(row, name));
	return sum;
}
