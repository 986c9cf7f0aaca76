/* SPDX-License-Identifier: Apache-2.0 */
#include "show/runs/rows.h"

#include <math.h>
#include <string.h>

#include "analyse/compare/match.h"
#include "base/error.h"
#include "base/values.h"
#include "result/report.h"

/* The data that put_rows() writes as rows. */
struct runs_source {
	const struct run_table *t;
	const struct runs_judged *j;
	const char *const *labels;
	/* with one command: the columns of the interval; NCOLUMNS: the measure has no interval */
	enum column_id lo, hi;
	enum column_id first; /* with several commands: the first of the two columns of values */
};

static void put_keys(struct row *row, const struct record *rec, const struct run_table *t,
		     size_t point)
{
	if (pair_is_score(&t->pairs, &t->pairs.pair[point])) {
		row_set(row, rec, COL_REMARK, val_text("b_eff"));
		return;
	}
	for (size_t i = 0; i < t->pairs.nkeys; i++)
		row_set(row, rec, t->pairs.keys[i],
			pair_cell(&t->pairs.pair[point], t->pairs.keys[i]));
}

static void put_single_command(struct row *row, const struct record *rec,
			       const struct runs_source *from, const struct run_point *p)
{
	row_set(row, rec, from->t->measure.id, val_real(p->median));
	if (from->lo < NCOLUMNS)
		row_set(row, rec, from->lo, val_real(p->lo));
	if (from->hi < NCOLUMNS)
		row_set(row, rec, from->hi, val_real(p->hi));
	row_set(row, rec, COL_CI_METHOD, val_text(isnan(p->lo) ? "none" : "runs"));
	if (p->depends)
		row_set(row, rec, COL_REMARK, val_text("runs depend on one another"));
}

static void put_command_pair(struct row *row, const struct record *rec,
			     const struct runs_source *from, size_t command, size_t point)
{
	const struct runs_judged *j = from->j;
	const struct run_point *own = j->own + point;
	const struct paired_point *p = &j->pair[(command - 1) * from->t->points + point];
	const char *outcome = run_outcome_names[run_outcome(j, p)];
	bool rate = from->t->measure.rate;

	row_put(row, rec, COL_RUN_COMMAND, val_text(from->labels[command]));
	row_set(row, rec, from->first + A, val_real(own->median));
	row_set(row, rec, from->first + B, val_real(own[command * from->t->points].median));
	row_set(row, rec, COL_COMPARED_RATIO, val_real(rate ? 1 / p->ratio : p->ratio));
	row_set(row, rec, COL_COMPARED_LO, val_real(rate ? 1 / p->hi : p->lo));
	row_set(row, rec, COL_COMPARED_HI, val_real(rate ? 1 / p->lo : p->hi));
	row_set(row, rec, COL_METHOD, val_text("blocks"));
	row_set(row, rec, COL_VERDICT, val_text(*outcome ? outcome : NULL));
	row_set(row, rec, COL_P_VALUE, val_real(p->p));
	row_set(row, rec, COL_P_WORSE, val_real(p->p_worse));
}

static int put_rows(void *arg, struct outlets *r, const struct record *rec)
{
	const struct runs_source *from = arg;
	size_t commands = from->j->ask.commands;
	int err = ST_OK;

	for (size_t c = commands > 1; c < commands && !err; c++)
		for (size_t p = 0; p < from->t->points && !err; p++) {
			const struct run_point *own = &from->j->own[p];
			struct row row = { 0 };

			put_keys(&row, rec, from->t, p);
			row_set(&row, rec, COL_RUNS, val_uint(own->n));
			row_set(&row, rec, COL_RUN_SPREAD, val_real(own->spread.s));
			row_set(&row, rec, COL_RUN_VISIBLE, val_real(own->visible));
			if (c)
				put_command_pair(&row, rec, from, c, p);
			else
				put_single_command(&row, rec, from, own);
			err = report_row(r, rec, &row);
		}
	return err;
}

/*
 * Chooses the columns of the table: the keys that vary, then the values. Files also have the
 * columns that the table omits. `cols` has room for NCOLUMNS.
 */
static void choose_columns(struct record *rec, enum column_id *cols, const struct runs_source *from)
{
	const struct row_pairs *p = &from->t->pairs;
	const enum column_id one[] = { from->t->measure.id, from->lo,	     from->hi,	COL_RUNS,
				       COL_RUN_SPREAD,	    COL_RUN_VISIBLE, COL_REMARK };
	const enum column_id several[] = { from->first + A, from->first + B, COL_COMPARED_RATIO,
					   COL_COMPARED_LO, COL_COMPARED_HI, COL_VERDICT,
					   COL_RUNS,	    COL_RUN_SPREAD,  COL_RUN_VISIBLE,
					   COL_REMARK };
	bool pairs = from->j->ask.commands > 1;
	const enum column_id *own = pairs ? several : one;
	size_t n = 0;

	if (from->j->ask.commands > 2)
		cols[n++] = COL_RUN_COMMAND;
	memcpy(cols + n, p->keys, p->nvarying * sizeof(*cols));
	n += p->nvarying;
	for (size_t i = 0; i < (pairs ? LENGTH(several) : LENGTH(one)); i++)
		if (own[i] < NCOLUMNS)
			cols[n++] = own[i];
	rec->ntable = n;
	if (pairs) {
		cols[n++] = COL_P_VALUE;
		cols[n++] = COL_P_WORSE;
		cols[n++] = COL_METHOD;
	} else {
		cols[n++] = COL_CI_METHOD;
	}
	memcpy(cols + n, p->keys + p->nvarying, (p->nkeys - p->nvarying) * sizeof(*cols));
	rec->cols = cols;
	rec->ncols = n + p->nkeys - p->nvarying;
}

int runs_write(const struct output_options *o, struct record *rec, const struct run_table *t,
	       const struct runs_judged *j, const char *const *labels)
{
	enum column_id cols[NCOLUMNS];
	struct runs_source from = {
		.t = t,
		.j = j,
		.labels = labels,
		.lo = column_part_id(t->measure.id, "lo"),
		.hi = column_part_id(t->measure.id, "hi"),
		.first = (enum column_id)(COL_COMPARED + 2 * t->measure.unit),
	};
	const enum column_id spare[] = { COL_REMARK, COL_RUN_VISIBLE, COL_RUN_SPREAD,
					 COL_RUNS,   from.first + A,  from.first + B };

	choose_columns(rec, cols, &from);
	rec->spare = spare + t->pairs.score; /* keep the remark if the table has a row of b_eff */
	rec->nspare = LENGTH(spare) - t->pairs.score;
	return report_result(o, rec, put_rows, &from);
}
