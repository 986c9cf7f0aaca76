/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/from.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyse/map/study/rows.h"
#include "base/read/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/values.h"
#include "result/columns.h"

/* Columns of CSV that are read; the last are the quantities, in their order. */
enum from_column { VISIT, ROUND, SENDER, RECEIVER, BANDWIDTH_BPS, HALF_RTT_S, BIDIRECTIONAL_BPS,
	    NCELLS };
static const char *const names[NCELLS] = {
	"visit", "round", "sender", "receiver", "bandwidth_Bps", "half_rtt_epoch_s",
	"bidirectional_Bps",
};

struct file_reading {
	struct study_rows rows;
	size_t at[NCELLS];		/* the column of each; SIZE_MAX: the file has none */
	size_t ncolumns;		/* 0: the header comes next */
	uint64_t last_visit;
};

/* ---- CSV ---- */

/* The column of this name, or of its former one; SIZE_MAX: the file has none. */
static size_t find_cell(char **cells, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(column_now(cells[i]), name))
			return i;
	return SIZE_MAX;
}

/* CSV of map has no visits. */
static void note_medians(const struct file_reading *r)
{
	error_warn("'%s' has one value of each pair, judged as one visit: the JSON of a run has "
		   "all visits", r->rows.path);
}

static int take_header(struct file_reading *r, char **cells, size_t n)
{
	size_t sender = find_cell(cells, n, "sender_host");
	size_t receiver = find_cell(cells, n, "receiver_host");
	bool own;

	for (size_t k = 0; k < NCELLS; k++)
		r->at[k] = find_cell(cells, n, names[k]);
	/* map's own CSV has no visits, but the hosts' names beside the numbers of ranks */
	own = r->at[VISIT] == SIZE_MAX && sender != SIZE_MAX && receiver != SIZE_MAX;
	if (own) {
		r->at[SENDER] = sender;
		r->at[RECEIVER] = receiver;
		note_medians(r);
	}
	for (size_t k = 0; k < NCELLS; k++) {
		if (r->at[k] == SIZE_MAX && ((k == VISIT && !own) || k == SENDER || k == RECEIVER))
			return error_usage(
				"file '%s' has no column '%s': expected visit, sender, receiver, "
				"and bandwidth_Bps or half_rtt_epoch_s", r->rows.path, names[k]);
	}
	if (r->at[BANDWIDTH_BPS] == SIZE_MAX && r->at[HALF_RTT_S] == SIZE_MAX &&
	    r->at[BIDIRECTIONAL_BPS] == SIZE_MAX)
		return error_usage("file '%s' has neither a column 'bandwidth_Bps' nor "
				   "'half_rtt_epoch_s'", r->rows.path);
	r->ncolumns = n;
	return ST_OK;
}

/* A whole number of at most `most`. */
static int take_count(const struct file_reading *r, enum from_column which, const char *text,
		      uint64_t most, size_t line, uint64_t *to)
{
	const char *at = text;

	if (scan_whole(&at, false, to) == V_OK && !*at && *to <= most)
		return ST_OK;
	return error_usage("file '%s', line %zu: '%s' is no %s: expected 0 to %llu", r->rows.path,
			   line, text, names[which], (unsigned long long)most);
}

/*
 * Reads "9412345678.25" or "1.4e-06". If digits and power of ten are small enough to be exact
 * doubles, one division rounds as strtod does, in a fifth of the time. Else calls strtod.
 */
static double read_number(const char *text, char **end)
{
	static const double ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
				      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
				      1e22 };
	const char *at = text;
	uint64_t digits = 0;
	int power = 0;

	for (; isdigit((unsigned char)*at) && at - text < 15; at++)
		digits = 10 * digits + (uint64_t)(*at - '0');
	if (*at == '.' && at > text)
		for (at++; isdigit((unsigned char)*at) && at - text < 16; at++, power--)
			digits = 10 * digits + (uint64_t)(*at - '0');
	if (*at == 'e' && at > text && at[1] == '-' && isdigit((unsigned char)at[2]) &&
	    isdigit((unsigned char)at[3])) {
		power -= 10 * (at[2] - '0') + at[3] - '0';
		at += 4;
	}
	if (at == text || *at || power < -22)
		return strtod(text, end);
	*end = (char *)(uintptr_t)at;
	return (double)digits / ten[-power];
}

/* A positive number; NaN for an empty cell. */
static int take_value(const struct file_reading *r, enum from_column which, char **cells,
		      size_t line, double *to)
{
	const char *text = r->at[which] == SIZE_MAX ? "" : cells[r->at[which]];
	char *end;

	*to = NAN;
	if (!*text)
		return ST_OK;
	*to = read_number(text, &end);
	if (*end || isspace((unsigned char)*text) || !isfinite(*to) || !(*to > 0))
		return error_usage("file '%s', line %zu: %s '%s' is no positive number",
				   r->rows.path, line, names[which], text);
	return ST_OK;
}

static int take_row(void *arg, char **cells, size_t n, size_t line)
{
	struct file_reading *r = arg;
	struct measurement *o = &r->rows.last;
	uint64_t visit = 1, round = STUDY_NO_ROUND;
	const char *cell;
	int err = ST_OK;

	if (!r->ncolumns)
		return take_header(r, cells, n);
	if (n != r->ncolumns)
		return error_usage("file '%s', line %zu has %zu cells, the first has %zu",
				   r->rows.path, line, n, r->ncolumns);
	if (r->at[VISIT] != SIZE_MAX)
		err = take_count(r, VISIT, cells[r->at[VISIT]], UINT32_MAX, line, &visit);
	if (err)
		return err;
	if ((!r->rows.s->nvisits || visit != r->last_visit) &&
	    !study_visit(r->rows.s, visit, &o->visit))
		return error_usage("file '%s', line %zu: more than %d visits", r->rows.path, line,
				   STUDY_VISITS);
	r->last_visit = visit;
	cell = r->at[ROUND] == SIZE_MAX ? "" : cells[r->at[ROUND]];
	if (*cell)
		err = take_count(r, ROUND, cell, STUDY_ROUNDS, line, &round);
	o->round = (uint32_t)round;
	if (!err)
		err = rows_take_host(&r->rows, "sender", cells[r->at[SENDER]], line, &o->sender);
	if (!err)
		err = rows_take_host(&r->rows, "receiver", cells[r->at[RECEIVER]], line,
				     &o->receiver);
	for (int q = 0; q < NQUANTITIES && !err; q++)
		err = take_value(r, BANDWIDTH_BPS + (enum from_column)q, cells, line,
				 &o->value[q]);
	return err ? err : rows_put(&r->rows, o, line);
}

/* ---- files ---- */

int from_read(const char *path, struct study *s)
{
	static const char own[] = "# schema: netbench";
	struct file_reading r = { .rows = { .path = path, .unit = "line", .s = s } };
	char start[sizeof(own)] = "";
	const char *why;
	FILE *f = file_open(path, &why);
	struct result_rows rows;
	struct stat st;
	bool own_csv;
	int first, err;

	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	file_skip_mark(f);
	first = getc(f);
	ungetc(first, f);
	/* a result in CSV begins with this comment; else CSV goes on with the rest of its line */
	if (first == '#' && fgets(start, sizeof(start), f))
		ungetc(start[strlen(start) - 1] == '\n' ? '\n' : '#', f);
	own_csv = !strcmp(start, own);
	if (first != '{' && !own_csv) {
		err = csv_each(path, f, take_row, &r);
		if (!err && ferror(f))
			err = error_usage("cannot read '%s': %s", path, strerror(errno));
		if (!err && !r.ncolumns)
			err = error_usage("file '%s' is empty", path);
	} else if (!fstat(fileno(f), &st) && S_ISREG(st.st_mode)) {
		err = result_rows_open(&rows, path);
		if (!err && own_csv)
			note_medians(&r);
		if (!err)
			err = rows_take_result(&r.rows, &rows);
		result_rows_close(&rows);
	} else {
		err = error_usage("cannot read result '%s' from a pipe or device: it is read "
				  "twice, so save it to a file first", path);
	}
	fclose(f);
	return err ? err : rows_finish(&r.rows);
}
