/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/read/from.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/read/csv.h"
#include "base/values.h"
#include "cmd/map/read/columns.h"
#include "cmd/map/read/linktest.h"
#include "cmd/map/read/matrix.h"
#include "cmd/map/read/mpigraph.h"

#define BLANKS " \t\r"

const char *const from_units[] = { "B/s", "MB/s", "MiB/s", "Gbit/s", "us", NULL };

/*
 * The matrix is last, because a line of LinkTest has four numbers, which look like a row of a
 * matrix.
 */
static const struct map_format *const formats[] = {
	&columns_format, &mpigraph_format, &linktest_format, &matrix_format,
};

/* ---- lines ---- */

/*
 * Finds the format that begins with this line. If no format does, stores the line, because it may
 * name the columns of the next line. Returns ST_OK or ST_USAGE (reported).
 */
static int recognise_format(struct reading *r, char **cells, size_t n)
{
	for (size_t k = 0; k < LENGTH(formats) && !r->format; k++)
		if (formats[k]->begins(r, cells, n))
			r->format = formats[k];
	if (r->format && r->unit_given && r->format != &matrix_format)
		return error_usage("'--from-unit' is only for a matrix, and '%s' has its own units",
				   r->rows.path);
	if (!r->format)
		words_copy(&r->before, cells, n);
	return ST_OK;
}

static int read_line(void *arg, char **cells, size_t n, size_t line)
{
	struct reading *r = arg;
	size_t len = n == 1 ? strlen(cells[0]) : 0;
	char **words = len ? memory_new(len / 2 + 1, sizeof(*words)) : NULL;
	char *text = len ? cells[0] : NULL, *word;
	int err = ST_OK;

	if (words) {	/* in a line without commas, blanks separate the cells */
		n = 0;
		while (n < len / 2 + 1 && (word = strsep(&text, BLANKS)))
			if (*word)
				words[n++] = word;
		cells = words;
	}
	if (!r->format && n)
		err = recognise_format(r, cells, n);
	if (!err && r->format && n)
		err = r->format->take(r, cells, n, line);
	free(words);
	return err;
}

/* ---- files ---- */

/* Warns if a file of another program has no value for some pairs. */
static void warn_missing(const struct reading *r)
{
	const struct study *s = r->rows.s;
	size_t all = (size_t)(s->nvisits - r->visits_before) * s->n * (s->n - 1);
	const struct map_format *f = r->format;

	if (r->counts)
		error_warn("'%s' is %s%s%s: %zu of %zu ordered pairs have no value%s",
			   r->rows.path, f->name, f->only ? ", " : "", f->only ? f->only : "",
			   all - r->values, all,
			   s->nvisits == 1 ? ", and with one visit no pair can be named" : "");
}

static int read_lines(struct reading *r, FILE *f)
{
	const char *path = r->rows.path;
	int err = csv_each(path, f, read_line, r);

	if (!err && ferror(f))
		err = error_usage("cannot read '%s': %s", path, strerror(errno));
	if (!err && !r->format)
		err = r->before.n ? error_usage("'%s' is no file that map can read: expected "
						"columns sender, receiver and bandwidth_Bps, a "
						"square matrix, or output of mpiGraph or "
						"LinkTest", path)
				  : error_usage("file '%s' is empty", path);
	if (!err && r->format->end)
		err = r->format->end(r);
	if (!err)
		warn_missing(r);
	words_free(&r->before);
	words_free(&r->names);
	free(r->own);
	return err;
}

static int read_result(struct reading *r, FILE *f, bool csv)
{
	const char *path = r->rows.path;
	struct result_rows rows;
	struct stat st;
	int err;

	if (r->nfiles > 1 || r->unit_given)
		return error_usage("'%s' is a result of map: it excludes %s", path,
				   r->nfiles > 1 ? "other files of '--from'" : "'--from-unit'");
	if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode))
		return error_usage("cannot read result '%s' from a pipe or device: save it to a "
				   "file first, because it is read twice", path);
	err = result_rows_open(&rows, path);
	if (!err && csv)
		columns_warn_medians(path);
	if (!err)
		err = rows_add_result(&r->rows, &rows);
	result_rows_close(&rows);
	return err;
}

static int read_file(struct reading *r)
{
	static const char own[] = "# schema: netbench";
	char start[sizeof(own)] = "";
	const char *why;
	FILE *f = file_open(r->rows.path, &why);
	int first, err;

	if (!f)
		return error_usage("cannot read '%s': %s", r->rows.path, why);
	file_skip_byte_order_mark(f);
	first = getc(f);
	ungetc(first, f);
	/*
	 * A result of netbench in CSV begins with `own`. In other CSV a '#' begins a comment, so
	 * the rest of the line is skipped.
	 */
	if (first == '#' && fgets(start, sizeof(start), f))
		ungetc(start[strlen(start) - 1] == '\n' ? '\n' : '#', f);
	if (first == '{' || !strcmp(start, own))
		err = read_result(r, f, first != '{');
	else
		err = read_lines(r, f);
	fclose(f);
	return err;
}

int from_read(const struct map_options *o, bool unit_given, struct study *s)
{
	struct study_rows last = { .s = s };
	int err = ST_OK;

	for (size_t k = 0; k < o->from.n && !err; k++) {
		struct reading r = { .rows = { .path = o->from.v[k], .unit = "line", .s = s },
				     .nfiles = o->from.n, .visits_before = s->nvisits,
				     .unit = (enum from_unit)o->from_unit,
				     .unit_given = unit_given };

		err = read_file(&r);
		last.path = o->from.v[k];
	}
	return err ? err : rows_finish(&last);
}
