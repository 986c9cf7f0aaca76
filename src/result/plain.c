/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table for scripts: every run has the same columns, and numbers are in SI units without
 * prefixes. The layout is that of HPCC FPGA's documentation of b_eff: fields of 13 characters with
 * three blanks between them. No field is empty or contains a blank, so scripts can find a field by
 * its number.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "result/format.h"

#define FIELD 13

/* True if a plain table shows column i. */
static bool shows_column(const struct record *rec, size_t i)
{
	/* index of the first column that an option has added */
	size_t added = rec->ntable - rec->nadded;

	return i < (rec->nplain ? rec->nplain : added) || (i < rec->ntable && i >= added);
}

static const char *column_heading(const struct record *rec, size_t i)
{
	bool own = i < rec->nplain && rec->heads && rec->heads[i];

	return own ? rec->heads[i] : columns[rec->cols[i]].name;
}

/* Writes a field, right-aligned; blanks in the text become "_". */
static void put_field(struct out *o, const struct record *rec, size_t i, const char *text)
{
	size_t head = strlen(column_heading(rec, i)), len = strlen(text);
	size_t width = head > FIELD ? head : FIELD;

	out_printf(o, "%s%*s", i ? "   " : "", (int)(width > len ? width - len : 0), "");
	for (; *text; text++)
		out_add(o, *text == ' ' ? "_" : text, 1);
}

static const char *format_value(char *buf, size_t len, const struct value *v)
{
	if (v->kind == VAL_TEXT && *v->t)
		return v->t;
	if (v->kind == VAL_UINT)
		snprintf(buf, len, "%" PRIu64, v->u);
	else if (v->kind == VAL_REAL)
		snprintf(buf, len, "%.5e", v->r);
	else
		snprintf(buf, len, "-");
	return buf;
}

static int begin_plain(struct out *o, const struct record *rec)
{
	for (size_t i = 0; i < rec->ntable; i++)
		if (shows_column(rec, i))
			put_field(o, rec, i, column_heading(rec, i));
	out_printf(o, "\n");
	return out_commit(o, o->len);
}

static int write_plain_row(struct out *o, const struct record *rec, const struct row *r)
{
	char buf[32];

	for (size_t i = 0; i < rec->ntable; i++)
		if (shows_column(rec, i))
			put_field(o, rec, i, format_value(buf, sizeof(buf), &r->v[i]));
	out_printf(o, "\n");
	return out_commit(o, o->len);
}

/* Writes the score of a run that is complete. */
static int end_plain(struct out *o, const struct record *rec)
{
	char name[32];
	const json_t *score;

	if (!rec->score || strcmp(rec->status, "complete") != 0)
		return ST_OK;
	snprintf(name, sizeof(name), "%s_Bps", rec->score);
	score = json_object_get(rec->summary, name);
	if (json_is_real(score))
		out_printf(o, "\n%s = %.5e B/s\n", rec->score, json_real_value(score));
	return out_commit(o, o->len);
}

const struct format_ops format_plain = {
	.begin = begin_plain, .row = write_plain_row, .end = end_plain,
};
