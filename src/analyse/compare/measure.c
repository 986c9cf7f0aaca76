/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the measure: a column that all results have, and checks that they are of one kind. */
#include "analyse/compare/measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"

/* Refuses two results of simulated networks that keep other rules. ST_OK or ST_USAGE (reported). */
static int check_rules(const struct two *first, const struct two *t, int side)
{
	const struct two *two[] = { first, t };
	int of[] = { result_sim_definition(first->doc[A]), result_sim_definition(t->doc[side]) },
	    old = of[1] < of[0];

	if (!of[0] || !of[1] || of[0] == of[1])
		return ST_OK;
	return error_usage("cannot compare two definitions of the simulated network: '%s' has %d, "
			   "'%s' has %d; simulate '%s' again", two[0]->path[A], of[0],
			   two[1]->path[side], of[1], two[old]->path[old ? side : A]);
}

int compared_check(const struct compared *all)
{
	static const char *const same[] = { "command", "definition" };
	const struct two *first = all->two;

	for (const struct two *two = first; two < first + all->n; two++)
		for (const struct two *t = two; t; t = t->next)
			for (size_t k = 0; k < 2 * LENGTH(same); k++) {
				const char *what = same[k % 2], *path = t->path[k / 2];
				const char *a = result_text(first->doc[A], what);
				const char *b = result_text(t->doc[k / 2], what);

				if (strcmp(a, b) != 0)
					return error_usage("cannot compare results of another %s: "
							   "'%s' has '%s', '%s' has '%s'", what,
							   first->path[A], a, path, b);
				if (what == same[1] && check_rules(first, t, (int)(k / 2)))
					return ST_USAGE;
			}
	return ST_OK;
}

static bool set_measure(struct measure *m, enum column_id id)
{
	m->id = id;
	m->unit = 0;
	m->rate = unit_is_rate(columns[id].unit);
	while (compared_units[m->unit] && strcmp(compared_units[m->unit], columns[id].unit) != 0)
		m->unit++;
	return compared_units[m->unit] && column_role(id) != ROLE_POINT;
}

/* True if all have a column; one of single iterations: with numbers, as not all backends have. */
static bool all_have(const struct compared *all, enum column_id id)
{
	const char *name = columns[id].name;

	for (size_t k = 0; k < 2 * all->n; k++) {
		const json_t *doc = all->two[k / 2].doc[k % 2], *row;
		bool bounds = !result_is_computed(doc), given = !column_is_single(id);
		size_t i;

		json_array_foreach(document_rows(doc), i, row)
			given |= isfinite(result_number(row, name)) &&
				 (!bounds || isfinite(result_part(row, name, "lo")));
		if (!given || !result_has(doc, name))
			return false;
	}
	return true;
}

int measure_choose(const struct compared *all, const char *name, struct measure *m)
{
	const struct column *named = name ? column_find(name) : NULL;
	const json_t *a = all->two->doc[A];
	json_t *column;
	size_t i;

	if (name && !named)
		return error_usage("unknown column '%s'; 'netbench explain' lists them", name);
	if (name && !set_measure(m, (enum column_id)(named - columns)))
		return error_usage("column '%s' cannot be compared: not a result in s, B/s, msg/s, "
				   "Hz or cycles", name);
	for (size_t k = 0; name && k < 2 * all->n; k++)
		if (!result_has(all->two[k / 2].doc[k % 2], named->name))
			return error_usage("'%s' has no column '%s'", all->two[k / 2].path[k % 2],
					   named->name);
	if (name)
		return ST_OK;
	if (!strcmp(document_command(a), "check"))
		return error_usage("results of 'check' have several measures: name one with "
				   "'--measure', or judge all by 'netbench check --require %s'",
				   all->two->path[A]);
	json_array_foreach(document_columns(a), i, column) {
		const struct column *c = column_find(result_text(column, "name"));
		enum column_id id;

		if (!c)
			continue;
		id = (enum column_id)(c - columns);
		if ((column_role(id) == ROLE_MAIN || column_role(id) == ROLE_SCORE) &&
		    all_have(all, id) && set_measure(m, id))
			return ST_OK;
	}
	return error_usage(
		"results of '%s' have no main measure in common; name a column with '--measure'",
		document_command(a));
}
