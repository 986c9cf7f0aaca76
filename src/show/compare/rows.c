/* SPDX-License-Identifier: Apache-2.0 */
#include "show/compare/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/compare/judge.h"
#include "analyse/compare/match.h"
#include "base/error.h"
#include "base/values.h"
#include "show/write.h"

/* The first of the two columns of values, in the measure's unit. */
static enum column_id first_value(const struct measure *m)
{
	return (enum column_id)(COL_COMPARED + 2 * m->unit);
}

/* Columns of the table; then for files p_value and keys without differences. Room: NCOLUMNS. */
static void choose_columns(struct record *rec, enum column_id *cols, const struct row_pairs *p,
			   enum column_id first)
{
	const enum column_id own[] = { first, first + 1, COL_COMPARED_RATIO, COL_COMPARED_LO,
				       COL_COMPARED_HI, COL_METHOD, COL_VERDICT, COL_REMARK };
	size_t n = 0;

	if (rec->heads[0])
		cols[n++] = COL_COMPARED_FILE;
	memcpy(cols + n, p->keys, p->nvarying * sizeof(*cols));
	n += p->nvarying;
	memcpy(cols + n, own, sizeof(own));
	n += LENGTH(own);
	rec->ntable = n;
	cols[n++] = COL_P_VALUE;
	memcpy(cols + n, p->keys + p->nvarying, (p->nkeys - p->nvarying) * sizeof(*cols));
	rec->cols = cols;
	rec->ncols = n + p->nkeys - p->nvarying;
}

static struct value text_or_none(const char *text)
{
	return val_text(*text ? text : NULL);
}

/* What rows are written from. */
struct row_source {
	const struct row_pairs *p;
	const struct measure *m;
};

static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct row_source *from = arg;
	const struct row_pairs *p = from->p;
	enum column_id first = first_value(from->m);
	int err = ST_OK;

	for (size_t k = 0; k < p->n && !err; k++) {
		const struct row_pair *pair = &p->pair[k];
		struct row row = { 0 };

		row_put(&row, rec, COL_COMPARED_FILE, val_text(pair->two->path[B]));
		for (size_t i = 0; i < p->nkeys; i++)
			row_set(&row, rec, p->keys[i], pair_cell(pair, p->keys[i]));
		row_set(&row, rec, first + A, val_real(pair->value[A]));
		row_set(&row, rec, first + B, val_real(pair->value[B]));
		row_set(&row, rec, COL_COMPARED_RATIO, val_real(pair->ratio));
		row_set(&row, rec, COL_COMPARED_LO, val_real(pair->interval.lo));
		row_set(&row, rec, COL_COMPARED_HI, val_real(pair->interval.hi));
		row_set(&row, rec, COL_METHOD, text_or_none(method_names[pair->method]));
		row_set(&row, rec, COL_P_VALUE, val_real(pair->p_value));
		row_set(&row, rec, COL_VERDICT, text_or_none(outcome_names[pair->outcome]));
		row_set(&row, rec, COL_REMARK, text_or_none(pair->remark));
		err = report_row(r, rec, &row);
	}
	return err;
}

int compare_write(const struct output_options *o, struct record *rec, const struct compared *all,
		  const struct row_pairs *p, const struct measure *m)
{
	enum column_id first = first_value(m), cols[NCOLUMNS];
	/* the value of A follows from B and the ratio, and of the keys the first count for most */
	enum column_id spare[6 + NCOLUMNS] = { COL_REMARK, COL_METHOD, first + A, first + B,
					       COL_COMPARED_LO, COL_COMPARED_HI };
	const char *heads[NCOLUMNS] = { NULL };
	char head[64];
	size_t widest = 0;

	/* a column of files is as wide as the widest name, up to the room there is */
	for (size_t i = 0; i < all->n; i++)
		widest = fmax(widest, strlen(all->two[i].path[B]));
	snprintf(head, sizeof(head), "%-*s", (int)fmin(widest, sizeof(head) - 1),
		 columns[COL_COMPARED_FILE].head);
	heads[0] = all->n > 1 ? head : NULL;
	rec->heads = heads;
	choose_columns(rec, cols, p, first);
	rec->spare = spare;
	rec->nspare = 6;
	for (size_t i = p->nvarying; i > 1; i--)
		spare[rec->nspare++] = p->keys[i - 1];
	return show_result(o, rec, put_rows, &(struct row_source){ p, m });
}
