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
