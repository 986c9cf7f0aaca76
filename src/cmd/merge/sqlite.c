/* SPDX-License-Identifier: Apache-2.0 */
/* A database of SQLite. */
#include "base/error.h"
#include "cmd/merge/merge.h"
#include "config.h"

#ifdef HAVE_SQLITE

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* What a column's cells are. */
static const char *sql_type(const json_t *type)
{
	const char *name = json_string_value(type);

	return !strcmp(name, "integer") ? "INTEGER" : !strcmp(name, "real") ? "REAL" : "TEXT";
}

/*
 * The statement that makes the table, or with `insert` that adds a row to it, for free(); NULL
 * without memory.
 */
static char *statement(const struct merged *m, bool insert)
{
	char *text = NULL, *column;
	const char *name, *before = "";
	json_t *type;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	fprintf(to, insert ? "INSERT INTO %s VALUES (" : "CREATE TABLE %s (", m->name);
	json_object_foreach(m->columns, name, type) {
		column = sqlite3_mprintf("\"%w\" %s", name, sql_type(type));
		fprintf(to, "%s%s", before, insert ? "?" : column ? column : "");
		sqlite3_free(column);
		before = ", ";
	}
	fputs(")", to);
	return text_close(to, &text);
}

static int bind(sqlite3_stmt *insert, int at, const json_t *v)
{
	if (json_is_integer(v))
		return sqlite3_bind_int64(insert, at, json_integer_value(v));
	if (json_is_real(v))
		return sqlite3_bind_double(insert, at, json_real_value(v));
	if (json_is_boolean(v))
		return sqlite3_bind_int(insert, at, json_is_true(v));
	if (json_is_string(v))
		return sqlite3_bind_text(insert, at, json_string_value(v), -1, SQLITE_STATIC);
	return sqlite3_bind_null(insert, at);
}

static int insert_row(sqlite3_stmt *insert, const struct merged *m, json_t *row)
{
	const char *name;
	json_t *type;
	int at = 0, err = SQLITE_OK;

	json_object_foreach(m->columns, name, type)
		err = err ? err : bind(insert, ++at, json_object_get(row, name));
	err = err || sqlite3_step(insert) != SQLITE_DONE;
	return sqlite3_reset(insert) || err;
}

/* 0, or another number if SQLite reports a fault. */
static int fill_table(sqlite3 *db, const struct merged *m)
{
	char *create = statement(m, false), *insert = statement(m, true);
	sqlite3_stmt *prepared = NULL;
	json_t *row;
	size_t i;
	int err = create && insert ? SQLITE_OK : SQLITE_NOMEM;

	err = err ? err : sqlite3_exec(db, create, NULL, NULL, NULL);
	err = err ? err : sqlite3_prepare_v2(db, insert, -1, &prepared, NULL);
	json_array_foreach(m->rows, i, row)
		err = err ? err : insert_row(prepared, m, row);
	sqlite3_finalize(prepared);
	free(create);
	free(insert);
	return err;
}

static int fill(sqlite3 *db, const struct merged *m, size_t n)
{
	int err = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);

	for (size_t i = 0; i < n && !err; i++)
		if (!i || json_array_size(m[i].rows))
			err = fill_table(db, &m[i]);
	return err ? err : sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
}

/* Writes a database, which takes the place of `path` once it is whole. */
static int write_part(const struct merged *m, size_t n, const char *path, const char *part)
{
	sqlite3 *db = NULL;
	int err = sqlite3_open(part, &db);

	err = err ? err : fill(db, m, n);
	if (err)
		err = error_report("cannot write '%s': %s", path, sqlite3_errmsg(db));
	sqlite3_close(db);
	if (!err && rename(part, path))
		err = error_report("cannot write '%s': %s", path, strerror(errno));
	if (err)
		unlink(part);
	return err;
}

int merge_write_sqlite(const struct merged *m, size_t n, const char *path)
{
	char *part;
	int err;

	if (asprintf(&part, "%s.part", path) < 0)
		return error_report("no memory for '%s'", path);
	err = access(part, F_OK) ? write_part(m, n, path, part)
				 : error_usage("'%s' is there already: move or remove it", part);
	free(part);
	return err;
}

#else

int merge_write_sqlite(const struct merged *m, size_t n, const char *path)
{
	(void)m, (void)n;
	return error_unavailable("cannot write '%s': this program was built without SQLite; use "
				 ".csv or .jsonl", path);
}

#endif
