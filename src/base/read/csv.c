/* SPDX-License-Identifier: Apache-2.0 */
#include "base/read/csv.h"

#include <string.h>

#include "base/error.h"
#include "config.h"

#ifdef HAVE_LIBCSV

#include <csv.h>
#include <errno.h>
#include <stdlib.h>

#define SCHEMA "netbench-csv/"

/* A file that is being read, line by line. */
struct csv_rows {
	const char *path;
	FILE *f;
	long begin;		/* position of the table in f */
	json_t *doc;		/* values of the header go here; NULL: ignored */
	json_t *rows;		/* rows go here; NULL: ignored */
	size_t taken;		/* number of rows that csv_next has returned */
	json_t *names;		/* names of the columns; NULL until they are read */
	json_t *cells;		/* cells of the row that is being read */
	bool ended;		/* true: the line read most recently ended a row */
	/* true: some row has more or fewer cells than the table has columns */
	bool uneven;
	struct csv_parser parser;
	bool parsing, at_end;
	char *line;
	size_t room;
};

/* Returns the value, or JSON's null for NULL. */
static json_t *json_or_null(json_t *v)
{
	return v ? v : json_null();
}

/* ---- the header ---- */

/*
 * In keys with this prefix, the rest of the key is one name, although it contains dots. Older files
 * have one line for each such key.
 */
#define FLAT "environment.sysctl."

/*
 * Largest depth of the objects that are made from the dots in a key. Further dots are part of a
 * name. No result is this deep.
 */
#define DEEPEST 32

/*
 * Sets the value of key "a.b.c": member c of object b of object a of the tree. Creates missing
 * objects. Ignores a key that is not UTF-8.
 */
static void set_member(json_t *tree, const char *key, json_t *value)
{
	const char *at = key, *point, *flat = NULL;

	if (!strncmp(key, FLAT, strlen(FLAT)))
		flat = key + strlen(FLAT);
	for (size_t i = 0; i < DEEPEST && at != flat && (point = strchr(at, '.')); i++) {
		char *name = strndup(at, (size_t)(point - at));
		json_t *member = name ? json_object_get(tree, name) : NULL;

		if (name && !json_is_object(member)) {
			member = json_object();
			if (json_object_set_new(tree, name, member))
				member = NULL;
		}
		free(name);
		tree = member;
		at = point + 1;
	}
	json_object_set_new(tree, at, value);
}

/*
 * Returns a copy of the tree. In the copy, an object with members "0", "1" and so on becomes a
 * list. New reference.
 */
static json_t *copy_with_lists(json_t *v)
{
	bool list = json_object_size(v) > 0;
	json_t *new, *member;
	const char *name;
	char number[24];
	size_t i = 0;

	if (!json_is_object(v))
		return json_incref(v);
	json_object_foreach(v, name, member) {
		snprintf(number, sizeof(number), "%zu", i++);
		list = list && !strcmp(number, name);
	}
	new = list ? json_array() : json_object();
	json_object_foreach(v, name, member)
		if (list)
			json_array_append_new(new, copy_with_lists(member));
		else
			json_object_set_new(new, name, copy_with_lists(member));
	return new;
}

/*
 * Reads a line "# key: value" into doc. An empty value is null. Other values are JSON, or texts
 * without quotes.
 */
static void read_header_line(json_t *doc, char *line)
{
	char *colon = strstr(line, ": "), *value = colon ? colon + 2 : NULL;
	json_t *v;

	if (strncmp(line, "# ", 2) != 0 || !value || !doc)
		return;
	*colon = '\0';
	line += 2;
	value[strcspn(value, "\r\n")] = '\0';
	if (!strcmp(line, "schema") && !strncmp(value, SCHEMA, strlen(SCHEMA))) {
		json_object_set_new(doc, "schema", json_string("netbench"));
		json_object_set_new(doc, "schema_version",
				    json_integer(strtol(value + strlen(SCHEMA), NULL, 10)));
	} else if (!strcmp(line, "warning")) {
		json_array_append_new(json_object_get(doc, "warnings"),
				      json_or_null(json_string(value)));
	} else if (strcmp(line, "schema") && strcmp(line, "rows") && strcmp(line, "warnings")) {
		v = *value ? json_loads(value, JSON_DECODE_ANY, NULL) : json_null();
		set_member(doc, line, v ? v : json_or_null(json_string(value)));
	}
}

/* ---- rows ---- */

/* Called by libcsv for each cell: appends it to the current row. */
static void append_cell(void *text, size_t len, void *arg)
{
	struct csv_rows *r = arg;

	json_array_append_new(r->cells, json_or_null(text ? json_stringn(text, len) : NULL));
}

/* Called at the end of a row. The first row contains the names of the columns. */
static void end_row(int terminator, void *arg)
{
	struct csv_rows *r = arg;
	bool first = !r->names, even;
	json_t *row, *cell;
	const char *name;
	size_t i;

	r->ended = true;
	if (first)
		r->names = json_incref(r->cells);
	even = json_array_size(r->cells) == json_array_size(r->names);
	r->uneven |= !even;
	if (!first && r->rows && even) {
		row = json_object();
		json_array_foreach(r->cells, i, cell)
			if ((name = json_string_value(json_array_get(r->names, i))))
				json_object_set(row, name, cell);
		json_array_append_new(r->rows, row);
	}
	json_decref(r->cells);
	r->cells = json_array();
}

/* Makes libcsv keep the blanks around a cell. */
static int is_never_blank(unsigned char c)
{
	return 0;
}

/*
 * Prepares to read the table from its first line. Takes over the reference `rows`, which may be
 * NULL.
 */
static int begin_table(struct csv_rows *r, json_t *rows)
{
	json_decref(r->names);
	json_decref(r->cells);
	json_decref(r->rows);
	r->names = NULL;
	r->cells = json_array();
	r->rows = rows;
	r->taken = 0;
	r->ended = true;
	r->uneven = r->at_end = false;
	if (r->parsing)
		csv_free(&r->parser);
	r->parsing = !csv_init(&r->parser, CSV_APPEND_NULL | CSV_EMPTY_IS_NULL);
	if (!r->parsing)
		return error_report("no memory to read CSV");
	csv_set_space_func(&r->parser, is_never_blank);
	return ST_OK;
}

/*
 * Reads the next line, which belongs to the header or to a row. At the end of the file, ends the
 * last row. A cell may extend over several lines.
 */
static int read_line(struct csv_rows *r)
{
	ssize_t got = getline(&r->line, &r->room, r->f);
	size_t len = got > 0 ? (size_t)got : 0;
	bool good;

	if (len && r->ended && *r->line == '#') {
		read_header_line(r->doc, r->line);
		return ST_OK;
	}
	r->at_end = !len;
	r->ended = r->ended && (!len || strspn(r->line, "\r\n") == len);
	good = len ? csv_parse(&r->parser, r->line, len, append_cell, end_row, r) == len
		   : !csv_fini(&r->parser, append_cell, end_row, r);
	return good ? ST_OK : error_usage("'%s' cannot be read as CSV", r->path);
}

int csv_open(const char *path, FILE *f, bool with_rows, struct csv_rows **rows, json_t **doc)
{
	struct csv_rows *r = *rows = calloc(1, sizeof(*r));
	json_t *list, *name;
	size_t i;
	int err;

	if (!r)
		return error_report("no memory to read CSV");
	r->path = path;
	r->f = f;
	r->begin = ftell(f);
	r->doc = json_pack("{s:{}, s:{}, s:{}, s:[], s:[], s:s}", "options", "environment",
			   "summary", "warnings", "rows", "status", "incomplete");
	err = begin_table(r, with_rows ? json_incref(json_object_get(r->doc, "rows")) : NULL);
	while (!err && !r->at_end)
		err = read_line(r);
	if (!err && (!json_object_get(r->doc, "schema") || !json_object_get(r->doc, "command")))
		err = error_usage("'%s' is CSV without its header; give the .json, or CSV with "
				  "'--csv-header full'", path);
	else if (!err && !r->names)
		err = error_usage("'%s' was cut short: it has no columns", path);
	else if (!err && r->uneven)
		err = error_usage("'%s' was cut short: a row has more or fewer cells than there "
				  "are columns", path);
	list = json_array();
	json_array_foreach(r->names, i, name)
		json_array_append_new(list, json_pack("{s:O}", "name", name));
	json_object_set_new(r->doc, "columns", list);
	*doc = err ? NULL : copy_with_lists(r->doc);
	json_decref(r->doc);
	r->doc = NULL;
	return err;
}

int csv_rewind(struct csv_rows *r)
{
	int err = begin_table(r, json_array());

	if (!err && fseek(r->f, r->begin, SEEK_SET))
		err = error_usage("cannot read '%s': %s", r->path, strerror(errno));
	return err;
}

int csv_next(struct csv_rows *r, json_t **row)
{
	int err = ST_OK;

	while (r->taken == json_array_size(r->rows) && !r->at_end && !err) {
		json_array_clear(r->rows);
		r->taken = 0;
		err = read_line(r);
	}
	*row = err ? NULL : json_incref(json_array_get(r->rows, r->taken));
	r->taken += *row != NULL;
	return err;
}

void csv_close(struct csv_rows *r)
{
	if (!r)
		return;
	json_decref(r->names);
	json_decref(r->cells);
	json_decref(r->rows);
	if (r->parsing)
		csv_free(&r->parser);
	free(r->line);
	free(r);
}

/* ---- tables of any origin ---- */

/*
 * Cells of the row that is being read. `text` contains them, and at[i] is the offset of cell i in
 * it.
 */
struct cells {
	char *text, **cell;
	size_t len, room, n, most;
	size_t *at;
	bool ended, nomem;
	bool torn;		/* a line continues after the end of a row */
};

/* Makes room for one more cell. Returns false if memory is short. */
static bool make_room_for_cell(struct cells *c)
{
	size_t most = 2 * c->most + 16, *at;
	char **cell;

	if (c->n < c->most)
		return true;
	at = realloc(c->at, most * sizeof(*at));
	c->at = at ? at : c->at;
	cell = realloc(c->cell, most * sizeof(*cell));
	c->cell = cell ? cell : c->cell;
	c->nomem |= !at || !cell;
	c->most = c->nomem ? c->most : most;
	return !c->nomem;
}

/* Called by libcsv for each cell: copies it to the current row. */
static void copy_cell(void *text, size_t len, void *arg)
{
	struct cells *c = arg;

	c->torn |= c->ended;
	if (c->len + len + 1 > c->room) {
		size_t room = 2 * (c->len + len + 1);
		char *more = realloc(c->text, room);

		c->nomem |= !more;
		c->text = more ? more : c->text;
		c->room = more ? room : c->room;
	}
	if (c->nomem || !make_room_for_cell(c))
		return;
	if (len)
		memcpy(c->text + c->len, text, len);
	c->text[c->len + len] = '\0';
	c->at[c->n++] = c->len;
	c->len += len + 1;
}

/* Called by libcsv at the end of a row: points cell[i] at the text of cell i. */
static void point_at_cells(int terminator, void *arg)
{
	struct cells *c = arg;

	c->ended = true;
	for (size_t i = 0; i < c->n; i++)
		c->cell[i] = c->text + c->at[i];
}

/* Splits a line without quotes at its commas. This is several times faster than libcsv. */
static void split_line(struct cells *c, char *line, size_t len)
{
	char *comma;

	len -= len && line[len - 1] == '\n';
	len -= len && line[len - 1] == '\r';
	line[len] = '\0';
	while ((comma = memchr(line, ',', len)) && make_room_for_cell(c)) {
		c->cell[c->n++] = line;
		*comma = '\0';
		len -= (size_t)(comma + 1 - line);
		line = comma + 1;
	}
	if (make_room_for_cell(c))
		c->cell[c->n++] = line;
	c->ended = true;
}

/* Passes a complete row to the caller's function, and empties *c. */
static int pass_row(struct cells *c, csv_row_fn *row, void *arg, size_t line)
{
	size_t n = c->n;

	if (!c->ended || c->nomem)
		return c->nomem ? error_report("no memory for a row of CSV") : ST_OK;
	c->n = c->len = 0;
	/* skip the apostrophe that netbench writes before a formula */
	for (size_t i = 0; i < n; i++)
		c->cell[i] += *c->cell[i] == '\'' && csv_is_formula(c->cell[i]);
	return n ? row(arg, c->cell, n, line) : ST_OK;
}

int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg)
{
	struct cells c = { .ended = true };
	struct csv_parser parser;
	char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t got;
	int err = ST_OK;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
		return error_report("no memory to read CSV");
	csv_set_space_func(&parser, is_never_blank);
	while (!err && (got = getline(&line, &room, f)) > 0) {
		size_t len = (size_t)got;

		number++;
		if (c.ended && (*line == '#' || strspn(line, "\r\n") == len))
			continue;
		if (c.ended && !memchr(line, '"', len)) {
			split_line(&c, line, len);
		} else {
			c.ended = false;
			if (csv_parse(&parser, line, len, copy_cell, point_at_cells, &c) != len ||
			    c.torn)
				err = error_usage("file '%s', line %zu is not CSV", path, number);
		}
		if (!err)
			err = pass_row(&c, row, arg, number);
	}
	if (!err && !c.ended && !csv_fini(&parser, copy_cell, point_at_cells, &c))
		err = pass_row(&c, row, arg, number);
	if (!err && !c.ended)
		err = error_usage("file '%s' ends within a row", path);
	csv_free(&parser);
	free(line);
	free(c.text);
	free(c.cell);
	free(c.at);
	return err;
}

#else

int csv_open(const char *path, FILE *f, bool with_rows, struct csv_rows **rows, json_t **doc)
{
	(void)f, (void)with_rows;
	*rows = NULL;
	*doc = NULL;
	return error_unavailable("cannot read '%s': this program was built without libcsv, which "
				 "reads CSV; give the .json", path);
}

int csv_rewind(struct csv_rows *rows)
{
	return ST_FAILED;
}

int csv_next(struct csv_rows *rows, json_t **row)
{
	*row = NULL;
	return ST_FAILED;
}

void csv_close(struct csv_rows *rows)
{
}

int csv_each(const char *path, FILE *f, csv_row_fn *row, void *arg)
{
	(void)f, (void)row, (void)arg;
	return error_unavailable("cannot read '%s': this program was built without libcsv, which "
				 "reads CSV", path);
}

#endif

bool csv_is_formula(const char *text)
{
	text += strspn(text, "'");
	return *text && strchr("=+-@", *text);
}
