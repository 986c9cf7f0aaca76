/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs the rows of the same point, and chooses a column that all results have. */
#include "analyse/compare/match.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/reader.h"

/*
 * Returns a cell in a form that can be compared, as a new reference. Numbers become reals; a
 * missing cell becomes null.
 */
static json_t *comparable_cell(const json_t *row, enum column_id id)
{
	json_t *v = json_object_get(row, columns[id].name);

	if (json_is_number(v))
		return json_real(json_number_value(v));
	return json_is_string(v) ? json_incref(v) : json_null();
}

/*
 * Returns the list of rows for the point of `row`. `index` maps the text of key values to such
 * lists. If `make` is true, creates a missing list. NULL: no row.
 */
static json_t *find_rows(json_t *index, const struct row_pairs *p, const json_t *row, bool make)
{
	json_t *all = json_array(), *rows;
	char *name;

	for (size_t i = 0; i < p->nkeys; i++)
		json_array_append_new(all, comparable_cell(row, p->keys[i]));
	name = memory_or_exit(json_dumps(all, JSON_COMPACT));
	json_decref(all);
	rows = json_object_get(index, name);
	if (!rows && make) {
		rows = json_array();
		json_object_set_new(index, name, rows);
	}
	free(name);
	return rows;
}

/* Indexes all rows of a result by their points. Returns a new reference. */
static json_t *index_rows(struct row_pairs *p, json_t *rows)
{
	json_t *index = json_object(), *row;
	size_t i;

	json_array_foreach(rows, i, row)
		json_array_append(find_rows(index, p, row, true), row);
	p->nalike += json_array_size(rows) - json_object_size(index);
	return index;
}

/*
 * Removes from the index the first row for the point of `row`, and returns it; NULL if none is
 * left.
 */
static json_t *take_first_row(json_t *index, const struct row_pairs *p, const json_t *row)
{
	json_t *rows = find_rows(index, p, row, false), *first = json_array_get(rows, 0);

	if (first)
		json_array_remove(rows, 0);
	return first;
}

/* Adds a key column unless it is in the list. */
static void add_key(struct row_pairs *p, enum column_id id)
{
	size_t k = 0;

	while (k < p->nkeys && p->keys[k] != id)
		k++;
	p->keys[k] = id;
	p->nkeys += k == p->nkeys;
}

/* Finds the ROLE_POINT columns that A and B both have. */
static void find_keys(struct row_pairs *p, const struct two *two)
{
	json_t *column;
	size_t i;

	json_array_foreach(document_columns(two->doc[A]), i, column) {
		const struct column *c = column_find(result_text(column, "name"));
		enum column_id id = c ? (enum column_id)(c - columns) : NCOLUMNS;

		if (c && column_role(id) == ROLE_POINT && result_has(two->doc[B], c->name))
			add_key(p, id);
	}
}

/* Returns the pair's row in A, or in B if A has none. */
static const json_t *row_of_pair(const struct row_pair *pair)
{
	return pair->row[pair->row[A] ? A : B];
}

/* True if a key column differs between the points. */
static bool key_varies(const struct row_pairs *p, enum column_id id)
{
	json_t *first = p->n ? comparable_cell(row_of_pair(p->pair), id) : NULL, *v;
	bool differs = false;

	for (size_t i = 1; i < p->n && !differs; i++) {
		v = comparable_cell(row_of_pair(&p->pair[i]), id);
		differs = !json_equal(first, v);
		json_decref(v);
	}
	json_decref(first);
	return differs;
}

/* Finds the rows of all pairs in the later results. */
static void match_later(const struct two *two, struct row_pairs *p)
{
	size_t turns = 0, k = 0;

	for (const struct two *next = two->next; next; next = next->next)
		turns++;
	p->later = memory_new(2 * turns * p->n, sizeof(*p->later));
	for (const struct two *next = two->next; next; next = next->next, k++)
		for (int side = A; side <= B; side++) {
			json_t *rows = document_rows(next->doc[side]);
			json_t *index = index_rows(p, rows);

			for (size_t i = 0; i < p->n; i++)
				p->later[2 * (k * p->n + i) + (size_t)side] =
					take_first_row(index, p, row_of_pair(&p->pair[i]));
			json_decref(index);
		}
}

/* Appends the pairs of rows of A and one B. */
static void match_two(const struct two *two, struct row_pairs *p)
{
	struct row_pairs own = { .pair = p->pair + p->n };
	json_t *of_b, *row;
	size_t i;

	find_keys(&own, two);
	of_b = index_rows(&own, document_rows(two->doc[B]));
	json_array_foreach(document_rows(two->doc[A]), i, row)
		own.pair[own.n++] = (struct row_pair){
			.two = two, .row = { row, take_first_row(of_b, &own, row) } };
	json_array_foreach(document_rows(two->doc[B]), i, row)
		/* this row of B is not paired with a row of A */
		if (json_array_get(find_rows(of_b, &own, row, false), 0) == row)
			own.pair[own.n++] = (struct row_pair){
				.two = two, .row = { NULL, take_first_row(of_b, &own, row) } };
	json_decref(of_b);
	for (i = 0; i < own.nkeys; i++)
		add_key(p, own.keys[i]);
	p->n += own.n;
	p->nalike += own.nalike;
}

void points_match(const struct compared *all, struct row_pairs *p)
{
	struct row_pairs of_a = { .n = 0 };
	enum column_id keys[NCOLUMNS];
	size_t room = 1, nkeys, rest = 0;

	for (const struct two *two = all->two; two < all->two + all->n; two++)
		for (int side = A; side <= B; side++)
			room += json_array_size(document_rows(two->doc[side]));
	*p = (struct row_pairs){ .pair = memory_new(room, sizeof(*p->pair)) };
	find_keys(&of_a, all->two);
	json_decref(index_rows(&of_a, document_rows(all->two->doc[A])));
	p->nalike = of_a.nalike;
	for (const struct two *two = all->two; two < all->two + all->n; two++)
		match_two(two, p);
	if (all->two->next)
		match_later(all->two, p);
	/* put keys that differ between points first; drop keys without any value */
	memcpy(keys, p->keys, sizeof(keys));
	nkeys = p->nkeys;
	p->nkeys = 0;
	for (size_t i = 0; i < nkeys; i++) {
		if (keys[i] == COL_SIZE || key_varies(p, keys[i]))
			p->keys[p->nkeys++] = keys[i];
		else if (p->n && pair_cell(&p->pair[0], keys[i]).kind != VAL_NONE)
			keys[rest++] = keys[i];
	}
	p->nvarying = p->nkeys;
	memcpy(p->keys + p->nkeys, keys, rest * sizeof(*keys));
	p->nkeys += rest;
}

void points_free(struct row_pairs *p)
{
	free(p->pair);
	free(p->later);
	*p = (struct row_pairs){ 0 };
}

json_t *row_of_point(const struct row_pairs *p, size_t point, size_t k, int side)
{
	size_t n = p->n - p->score;

	return k ? p->later[2 * ((k - 1) * n + point) + (size_t)side] : p->pair[point].row[side];
}

/*
 * True if a row is for the same point as the pair: it has the same cells in all ROLE_POINT columns
 * of the row's result.
 */
static bool is_of_point(const json_t *doc, const json_t *row, const struct row_pair *pair)
{
	bool same = true;

	for (enum column_id id = 0; id < NCOLUMNS && same; id++) {
		json_t *own, *its;

		if (column_role(id) != ROLE_POINT || !result_has(doc, columns[id].name))
			continue;
		own = comparable_cell(row_of_pair(pair), id);
		its = comparable_cell(row, id);
		same = json_equal(own, its);
		json_decref(own);
		json_decref(its);
	}
	return same;
}

const json_t *find_row_of_point(const json_t *doc, const struct row_pair *pair)
{
	const json_t *row;
	size_t i;

	json_array_foreach(document_rows(doc), i, row)
		if (is_of_point(doc, row, pair))
			return row;
	return NULL;
}

struct value pair_cell(const struct row_pair *pair, enum column_id id)
{
	return row_value(row_of_pair(pair), id);
}

bool pair_is_score(const struct row_pairs *p, const struct row_pair *pair)
{
	return p->score && pair == p->pair + p->n - 1;
}

char *point_name(const struct row_pairs *p, const struct row_pair *pair, char *buf, size_t len)
{
	struct text t = { .n = 0 };

	if (pair_is_score(p, pair)) {
		snprintf(buf, len, "b_eff");
		return buf;
	}
	for (size_t i = 0; i < p->nvarying; i++) {
		struct value v = pair_cell(pair, p->keys[i]);

		if (v.kind == VAL_NONE)
			continue;
		text_add(&t, "%s%s ", t.n ? ", " : "", columns[p->keys[i]].name);
		if (v.kind == VAL_UINT)
			text_add(&t, "%llu", (unsigned long long)v.u);
		else
			text_add(&t, "%s", v.kind == VAL_REAL ? plain(v.r, 6).s : v.t);
	}
	snprintf(buf, len, "%.*s", (int)len - 1, t.n ? t.s : "the only point");
	return buf;
}

/* ---- the measure ---- */

/*
 * Refuses two results of simulated networks with different definitions. Returns ST_OK or ST_USAGE
 * (reported).
 */
static int check_network_definitions(const struct two *first, const struct two *t, int side)
{
	int a = result_sim_definition(first->doc[A]), b = result_sim_definition(t->doc[side]);

	if (!a || !b || a == b)
		return ST_OK;
	return error_usage("cannot compare two definitions of the simulated network: '%s' has %d, "
			   "'%s' has %d; simulate '%s' again", first->path[A], a, t->path[side], b,
			   b < a ? t->path[side] : first->path[A]);
}

int check_comparable(const struct compared *all)
{
	static const char *const same[] = { "command", "definition" };
	const struct two *first = all->two;

	for (const struct two *two = first; two < first + all->n; two++)
		for (const struct two *t = two; t; t = t->next)
			for (size_t k = 0; k < 2 * LENGTH(same); k++) {
				const char *what = same[k % 2], *path = t->path[k / 2];
				const char *a = result_text(first->doc[A], what);
				const char *b = result_text(t->doc[k / 2], what);

				if (t->doc[k / 2] && strcmp(a, b) != 0)
					return error_usage("cannot compare results with another "
							   "%s: '%s' has '%s', '%s' has '%s'", what,
							   first->path[A], a, path, b);
				if (t->doc[k / 2] && k % 2 &&
				    check_network_definitions(first, t, (int)(k / 2)))
					return ST_USAGE;
			}
	return ST_OK;
}

/* Makes a column the measure. Returns false if the column cannot be compared. */
static bool set_measure(struct measure *m, enum column_id id)
{
	m->id = id;
	m->unit = 0;
	m->rate = unit_is_rate(columns[id].unit);
	while (compared_units[m->unit] && strcmp(compared_units[m->unit], columns[id].unit) != 0)
		m->unit++;
	return compared_units[m->unit] && column_role(id) != ROLE_POINT;
}

/*
 * True if all results have a column. A column of single iterations must also contain numbers,
 * because some backends measure none. If `with_bounds` is true, its bounds must also exist.
 */
static bool all_results_have(const struct compared *all, enum column_id id, bool with_bounds)
{
	const char *name = columns[id].name;

	for (size_t k = 0; k < 2 * all->n; k++) {
		const json_t *doc = all->two[k / 2].doc[k % 2], *row;
		bool bounds = with_bounds && !result_is_computed(doc);
		bool given = !column_is_single(id);
		size_t i;

		json_array_foreach(document_rows(doc), i, row)
			given |= isfinite(result_number(row, name)) &&
				 (!bounds || isfinite(result_part(row, name, "lo")));
		if (!given || !result_has(doc, name))
			return false;
	}
	return true;
}

int measure_choose(const struct compared *all, const char *name, bool with_bounds,
		   struct measure *m)
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
		    all_results_have(all, id, with_bounds) && set_measure(m, id))
			return ST_OK;
	}
	/* tables of HPCC FPGA have no median */
	if (all_results_have(all, COL_BANDWIDTH_MAX, with_bounds) &&
	    set_measure(m, COL_BANDWIDTH_MAX))
		return ST_OK;
	return error_usage(
		"results of '%s' have no main measure in common; name a column with '--measure'",
		document_command(a));
}
