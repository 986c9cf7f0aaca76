/* SPDX-License-Identifier: Apache-2.0 */
#include "result/record.h"

#include <assert.h>

void row_set(struct row *row, const struct record *rec, enum column_id id, struct value v)
{
	size_t i = 0;

	while (i < rec->ncols && rec->cols[i] != id)
		i++;
	assert(i < rec->ncols && i < ROW_MAX);
	assert(v.kind == VAL_NONE || (v.kind == VAL_UINT && columns[id].type == COL_UINT) ||
	       (v.kind == VAL_REAL && columns[id].type == COL_REAL) ||
	       (v.kind == VAL_TEXT && columns[id].type == COL_TEXT));
	row->v[i] = v;
}

void row_put(struct row *row, const struct record *rec, enum column_id id, struct value v)
{
	for (size_t i = 0; i < rec->ncols; i++)
		if (rec->cols[i] == id)
			row_set(row, rec, id, v);
}

struct value row_get(const struct row *row, const struct record *rec, enum column_id id)
{
	for (size_t i = 0; i < rec->ncols; i++)
		if (rec->cols[i] == id)
			return row->v[i];
	return (struct value){ .kind = VAL_NONE };
}

void row_put_cells(struct row *row, const struct record *rec, const struct column_value *cells,
		   size_t n)
{
	for (size_t i = 0; i < n; i++)
		row_put(row, rec, cells[i].id, cells[i].v);
}

json_t *row_as_json(const struct row *row, const struct record *rec, size_t ncols, bool brief)
{
	json_t *v = json_object();

	for (size_t i = 0; i < ncols; i++) {
		const struct value *c = &row->v[i];
		/* jansson returns NULL for text that is not UTF-8 */
		json_t *cell = c->kind == VAL_REAL ? json_real(c->r)
			       : c->kind == VAL_TEXT ? json_string(c->t)
			       : c->kind == VAL_NONE ? NULL
			       : c->u > INT64_MAX ? json_real((double)c->u)
						  : json_integer((json_int_t)c->u);

		if (!cell && brief)
			continue;
		if (json_object_set_new(v, columns[rec->cols[i]].name,
					cell ? cell : json_null())) {
			json_decref(v);
			return NULL;
		}
	}
	return v;
}
