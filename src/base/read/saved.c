/* SPDX-License-Identifier: Apache-2.0 */
#include "base/read/saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/read/csv.h"
#include "base/read/walk.h"

/* Name of the result's member with the list of rows. The rows are read one by one. */
#define ROWS "rows"

/* Reports a fault that JSON has in this line of the file. Returns ST_*. */
static int report_bad_json(const char *path, const json_error_t *fault, size_t line)
{
	if (fault->line < 0)
		return error_report("no memory for '%s'", path);
	if (json_error_code(fault) == json_error_duplicate_key)
		return error_usage("'%s' has a duplicate key in an object: line %zu: %s", path,
				   line, fault->text);
	return error_usage("'%s' is not JSON, or was cut short: line %zu: %s", path, line,
			   fault->text);
}

/*
 * Returns true if the file is CSV. `first` is its first byte that is not blank; EOF or '\0' if all
 * bytes are blank.
 */
static bool is_csv(const char *path, int first)
{
	const char *dot = strrchr(path, '.');

	return first == '#' || (first != '{' && first != '[' && dot && !strcmp(dot, ".csv"));
}

/* ---- whole documents ---- */

int saved_parse(const char *path, char *bytes, size_t n, json_t **doc)
{
	size_t mark = byte_order_mark_length(bytes, n), blanks = mark;
	struct csv_rows *rows = NULL;
	json_error_t fault;
	FILE *f;
	int err;

	*doc = NULL;
	while (blanks < n && strchr(FILE_BLANKS, bytes[blanks]))
		blanks++;
	if (!is_csv(path, blanks < n ? bytes[blanks] : '\0')) {
		*doc = json_loadb(bytes + mark, n - mark, JSON_REJECT_DUPLICATES, &fault);
		return *doc ? ST_OK : report_bad_json(path, &fault, (size_t)fault.line);
	}
	f = fmemopen(bytes + mark, n - mark, "r");
	if (!f)
		return error_report("no memory for '%s'", path);
	err = csv_open(path, f, true, &rows, doc);
	csv_close(rows);
	fclose(f);
	return err;
}

/* Copies the rest of a file into *bytes. Returns ST_* as saved_load does. */
static int load_rest(const char *path, FILE *f, char **bytes, size_t *nbytes)
{
	FILE *to = open_memstream(bytes, nbytes);
	int err = ST_OK;

	if (to && file_copy(f, to))
		err = error_usage("cannot read '%s': %s", path, strerror(errno));
	if (!to || fclose(to))
		err = error_report("no memory for '%s'", path);
	if (err && to)
		free(*bytes);
	if (err)
		*bytes = NULL;
	return err;
}

int saved_load(const char *path, char **bytes, size_t *nbytes)
{
	const char *why;
	FILE *f = file_open(path, &why);
	int err;

	*bytes = NULL;
	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	err = load_rest(path, f, bytes, nbytes);
	fclose(f);
	return err;
}

int saved_read(const char *path, json_t **doc)
{
	char *bytes;
	size_t n;
	int err = saved_load(path, &bytes, &n);

	*doc = NULL;
	if (!err)
		err = saved_parse(path, bytes, n, doc);
	free(bytes);
	return err;
}

/* ---- row by row ---- */

/*
 * Copies the text of a document without its rows. Stores in *r where the rows begin. Returns the
 * number of newlines that were left out.
 */
static size_t copy_without_rows(struct saved *r, FILE *to)
{
	struct walk w = { .depth = 0 };
	bool in_rows = false;
	size_t skipped = 0;
	int c;

	for (r->line = 1; (c = getc_unlocked(r->f)) != EOF; r->line += c == '\n') {
		bool begins = c == '[' && !w.in_string && w.depth == 1 && walk_is_in(&w, ROWS);

		walk_byte(&w, (char)c);
		in_rows = in_rows && w.depth > 1;
		if (in_rows)
			skipped += c == '\n';
		else
			putc_unlocked(c, to);
		if (begins) {
			in_rows = true;
			r->first = ftell(r->f);
			r->first_line = r->line;
		}
	}
	return skipped;
}

/* Reads the document without its rows. */
static int read_without_rows(struct saved *r, json_t **doc)
{
	char *text = NULL;
	size_t len = 0, skipped;
	FILE *to = open_memstream(&text, &len);
	json_error_t fault;
	int err = ST_OK;

	if (!to)
		return error_report("no memory for '%s'", r->path);
	skipped = copy_without_rows(r, to);
	if (fclose(to)) {
		err = error_report("no memory for '%s'", r->path);
	} else if (ferror(r->f)) {
		err = error_usage("cannot read '%s': %s", r->path, strerror(errno));
	} else {
		*doc = json_loadb(text, len, JSON_REJECT_DUPLICATES, &fault);
		if (!*doc && r->first >= 0 && (size_t)fault.line > r->first_line)
			err = report_bad_json(r->path, &fault, (size_t)fault.line + skipped);
		else if (!*doc)
			err = report_bad_json(r->path, &fault, (size_t)fault.line);
	}
	free(text);
	return err;
}

int saved_open(struct saved *r, const char *path, json_t **doc)
{
	const char *why;
	struct stat st;
	FILE *copy;
	long begin;
	int first, err;

	*r = (struct saved){ .path = path, .first = -1 };
	*doc = NULL;
	r->f = file_open(path, &why);
	if (!r->f)
		return error_usage("cannot read '%s': %s", path, why);
	if (fstat(fileno(r->f), &st) || !S_ISREG(st.st_mode)) {	/* a pipe cannot be read twice */
		copy = tmpfile();
		if (!copy || file_copy(r->f, copy) || fflush(copy)) {
			if (copy)
				fclose(copy);
			return error_usage("cannot copy '%s' into a temporary file: %s", path,
					   strerror(errno));
		}
		fclose(r->f);
		r->f = copy;
		r->copied = true;
		rewind(copy);
	}
	file_skip_byte_order_mark(r->f);
	begin = ftell(r->f);
	do
		first = getc(r->f);
	while (first != EOF && first && strchr(FILE_BLANKS, first));
	fseek(r->f, begin, SEEK_SET);
	r->other = first != EOF && first && first != '{' && first != '[' && !is_csv(path, first);
	if (r->other)
		return ST_OK;
	err = is_csv(path, first) ? csv_open(path, r->f, false, &r->table, doc)
				    : read_without_rows(r, doc);
	return err ? err : saved_rewind(r);
}

int saved_load_opened(struct saved *r, char **bytes, size_t *nbytes)
{
	return load_rest(r->path, r->f, bytes, nbytes);
}

int saved_rewind(struct saved *r)
{
	r->begun = false;
	r->line = r->first_line;
	if (r->table)
		return csv_rewind(r->table);
	if (r->first >= 0 && fseek(r->f, r->first, SEEK_SET))
		return error_usage("cannot read '%s': %s", r->path, strerror(errno));
	return ST_OK;
}

/* Returns the next byte that is not blank. */
static int skip_blanks(struct saved *r)
{
	int c;

	while ((c = getc_unlocked(r->f)) != EOF && c && strchr(FILE_BLANKS, c))
		r->line += c == '\n';
	return c;
}

/* Copies the text of a row up to the comma or bracket that follows it. */
static int copy_row(struct saved *r, int c)
{
	struct walk w = { .depth = 0 };

	for (r->len = 0; c != EOF; c = getc_unlocked(r->f)) {
		if (!w.depth && !w.in_string && (c == ',' || c == ']'))
			break;
		walk_byte(&w, (char)c);
		if (r->len == r->room) {
			size_t room = 2 * r->room + 4096;
			char *text = realloc(r->text, room);

			if (!text)
				return error_report("no memory for a row of '%s'", r->path);
			r->text = text;
			r->room = room;
		}
		r->text[r->len++] = (char)c;
	}
	ungetc(c, r->f);
	return ST_OK;
}

int saved_next(struct saved *r, json_t **row)
{
	json_error_t fault;
	int c, err;

	*row = NULL;
	if (r->table)
		return csv_next(r->table, row);
	c = r->first < 0 ? ']' : skip_blanks(r);
	if (c == ']' && r->first >= 0)
		ungetc(c, r->f);	/* so that a later call also finds the end of the list */
	if (c == ']')
		return ST_OK;
	if (r->begun && c != ',')
		return error_usage("'%s' is not JSON: line %zu: no comma between two rows", r->path,
				   r->line);
	err = copy_row(r, r->begun ? skip_blanks(r) : c);
	if (err)
		return err;
	r->begun = true;
	*row = json_loadb(r->text ? r->text : "", r->len, JSON_REJECT_DUPLICATES, &fault);
	if (!*row)
		return report_bad_json(r->path, &fault, r->line + (size_t)fault.line - 1);
	for (size_t i = 0; i < r->len; i++)
		r->line += r->text[i] == '\n';
	return ST_OK;
}

void saved_close(struct saved *r)
{
	csv_close(r->table);
	if (r->f)
		fclose(r->f);
	free(r->text);
	*r = (struct saved){ .first = -1 };
}
