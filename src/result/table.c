/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "result/format.h"

#define GAP 2	/* blanks between columns */
#define USUAL_WIDTH 80	/* width of lines if the output is not a terminal */
#define LEAST_WIDTH 40	/* smallest width of lines of text */
#define CONTINUED 2	/* indentation of continuation lines of text */

/* Returns the heading of column i. It names the unit that is shown. */
static const char *column_heading(char *buf, size_t len, const struct record *rec, size_t i)
{
	const char *own = rec->heads ? rec->heads[i] : NULL;

	return rate_head(buf, len, own ? own : columns[rec->cols[i]].head, rec->rates);
}

/* True if a table should fit into 80 characters. */
static bool must_fit_80_columns(const struct record *rec)
{
	return rec->nnarrow || rec->nspare;
}

/* True if a column is in a list. */
static bool list_contains(const enum column_id *list, size_t n, enum column_id id)
{
	size_t k = 0;

	while (k < n && list[k] != id)
		k++;
	return k < n;
}

/*
 * Returns the usual width of text in a column. It is smaller in tables that should fit into 80
 * characters.
 */
static size_t usual_text_width(const struct record *rec, enum column_id id)
{
	if (id == COL_REMARK && rec->nspare)
		return strlen("rounds of 1000 versus 1000 loops");
	if (id == COL_VERDICT && rec->nspare)
		return strlen("no difference seen");
	if (id == COL_OPERATION)
		return strlen(must_fit_80_columns(rec) ? "allreduce" : "reduce-scatter");
	if (id == COL_ALGORITHM && list_contains(rec->cols, rec->ncols, COL_OPERATION))
		return strlen("recursive-doubling");
	if (!must_fit_80_columns(rec) || id == COL_STOP)
		return strlen("deterministic");
	return strlen(id == COL_LOAD ? "receiver" : "k-nomial=16");
}

/*
 * Returns the width of a column, which is that of its widest usual cell. A wider cell shifts the
 * rest of its row.
 */
static int column_width(const struct record *rec, size_t i)
{
	const struct column *c = &columns[rec->cols[i]];
	const char *unit = c->unit;
	char buf[64];
	size_t head = strlen(column_heading(buf, sizeof(buf), rec, i)), cell;

	rate_factor(rec->rates, &unit);
	if (c->type == COL_TEXT)
		cell = usual_text_width(rec, rec->cols[i]);
	else if (c->type == COL_UINT)
		cell = *c->unit ? strlen("1073741824") : strlen("1000000");
	else if (!*unit)
		cell = strlen(rec->nspare ? "0.98765" : "1.2346e-05");
	else if (rec->nspare && !strcmp(unit, "cycles"))
		cell = strlen("1234567890");
	else
		cell = strlen("999.9 k") + strlen(unit);
	return (int)(head > cell ? head : cell);
}

/* ---- which columns are shown ---- */

/* True if a narrow table shows column i when it omits the first n columns of `spare`. */
static bool narrow_table_shows(const struct record *rec, size_t i, size_t n)
{
	enum column_id id = rec->cols[i];

	if (list_contains(rec->spare, n, id))
		return false;
	return !rec->nnarrow || list_contains(rec->narrow, rec->nnarrow, id) ||
	       i >= rec->ntable - rec->nadded;
}

/*
 * Returns the width of the table in characters: with all columns if `all` is true, else with the
 * columns that a narrow table shows.
 */
static int table_width(const struct record *rec, bool all, size_t nspared)
{
	int width = -GAP;

	for (size_t i = 0; i < rec->ntable; i++)
		if (all || narrow_table_shows(rec, i, nspared))
			width += GAP + column_width(rec, i);
	return width;
}

/* True if the table shows all columns. */
static bool shows_all_columns(const struct out *o, const struct record *rec)
{
	return rec->wide || !must_fit_80_columns(rec) || table_width(rec, true, 0) <= o->columns;
}

/* Returns the index of the first column from i on that is shown; ntable if there is none. */
static size_t next_shown_column(const struct out *o, const struct record *rec, size_t i)
{
	bool all = shows_all_columns(o, rec);

	while (i < rec->ntable && !all && !narrow_table_shows(rec, i, o->nspared))
		i++;
	return i;
}

/* ---- lines ---- */

/* Writes column i of a line: numbers right-aligned, text left-aligned, without trailing blanks. */
static void put_cell(struct out *o, const struct record *rec, size_t i, const char *text)
{
	const struct column *c = &columns[rec->cols[i]];
	int width = column_width(rec, i);

	if (c->type == COL_TEXT)
		width = next_shown_column(o, rec, i + 1) < rec->ntable ? -width : 0;
	out_printf(o, "%*s%*s", i > next_shown_column(o, rec, 0) ? GAP : 0, "", width, text);
}

/* Formats a cell. Returns its text, which may be in `buf`. */
static const char *format_value(char *buf, size_t len, const struct value *v, const char *unit,
				enum rate_unit rates)
{
	if (v->kind == VAL_TEXT)
		return v->t;
	if (v->kind == VAL_NONE)
		return "-";
	if (v->kind == VAL_UINT)
		snprintf(buf, len, "%" PRIu64, v->u);
	else if (!strcmp(unit, "cycles"))	/* mostly whole counts: never scaled */
		snprintf(buf, len, "%.10g", v->r);
	else if (*unit)
		format_rate(buf, len, v->r, unit, rates);
	else
		snprintf(buf, len, "%.5g", v->r);
	return buf;
}

/* Writes a line of text, wrapped into several lines if it is too long. */
static void put_wrapped(struct out *o, const char *words, size_t len, const char *last)
{
	int width = o->columns > LEAST_WIDTH ? o->columns - 1 : LEAST_WIDTH;
	int blanks = (int)strspn(words, " ");
	char *line, *text = NULL;
	size_t room;
	FILE *to;

	if (asprintf(&line, "%.*s%s", (int)len, words, last) < 0) {
		o->nomem = true;
		return;
	}
	to = strlen(line) > (size_t)width ? open_memstream(&text, &room) : NULL;
	if (to)
		text_wrap(to, line, blanks + CONTINUED, width);
	if (to && !fclose(to))
		out_printf(o, "%*s%s", blanks, "", text);
	else
		out_printf(o, "%s\n", line);
	free(text);
	free(line);
}

static int begin_table(struct out *o, const struct record *rec)
{
	const char *title = rec->title ? rec->title : rec->command;
	struct winsize size;
	char buf[64];

	/* width of the terminal, or else the usual width; with --wide there is no limit */
	o->columns = rec->wide ? INT_MAX : USUAL_WIDTH;
	if (isatty(o->fd) && !ioctl(o->fd, TIOCGWINSZ, &size) && size.ws_col)
		o->columns = size.ws_col;
	while (o->nspared < rec->nspare && table_width(rec, false, o->nspared) > o->columns)
		o->nspared++;
	if (rec->words)
		return ST_OK;
	if (rec->title || rec->computed)
		put_wrapped(o, title, strlen(title), rec->computed ? " (computed)" : "");
	for (size_t i = next_shown_column(o, rec, 0); i < rec->ntable;
	     i = next_shown_column(o, rec, i + 1))
		put_cell(o, rec, i, column_heading(buf, sizeof(buf), rec, i));
	out_printf(o, "\n");
	return out_commit(o, o->len);
}

static int write_table_row(struct out *o, const struct record *rec, const struct row *r)
{
	char buf[64];

	if (rec->words)
		return ST_OK;
	for (size_t i = next_shown_column(o, rec, 0); i < rec->ntable;
	     i = next_shown_column(o, rec, i + 1))
		put_cell(o, rec, i, format_value(buf, sizeof(buf), &r->v[i],
						 columns[rec->cols[i]].unit, rec->rates));
	out_printf(o, "\n");
	return out_commit(o, o->len);
}

static int end_table(struct out *o, const struct record *rec)
{
	const char *line = rec->footer ? rec->footer : "";
	bool emulated = rec->emulated;

	if (!rec->words && !shows_all_columns(o, rec))
		out_printf(o, "(more columns: --wide)%s\n", emulated ? "   (emulated)" : "");
	while (*line) {
		size_t len = strcspn(line, "\n");

		put_wrapped(o, line, len, emulated && len ? "   (emulated)" : "");
		line += len + (line[len] == '\n');
		emulated &= !rec->words;	/* with a table, the first line states it already */
	}
	return out_commit(o, o->len);
}

const struct format_ops format_table = {
	.begin = begin_table, .row = write_table_row, .end = end_table,
};
