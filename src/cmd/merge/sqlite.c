/* SPDX-License-Identifier: Apache-2.0 */
/* A database of SQLite. */
#include "cmd/merge/sqlite.h"

#include "base/error.h"
#include "config.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "result/out.h"

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
		const char *of = json_string_value(type);

		column = sqlite3_mprintf("\"%w\" %s", name, !strcmp(of, "integer") ? "INTEGER"
					 : !strcmp(of, "real") ? "REAL" : "TEXT");
		fprintf(to, "%s%s", before, insert ? "?" : column ? column : "");
		sqlite3_free(column);
		before = ", ";
	}
	fputs(")", to);
	return text_close(to, &text);
}

static int bind_cell(sqlite3_stmt *insert, int at, const json_t *v)
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

/* A table of the database that is being written. */
struct filling {
	const char *path;	/* of the database, for messages */
	sqlite3 *db;
	const struct merged *m;
	sqlite3_stmt *insert;
};

/* Reports a fault of SQLite. ST_FAILED; ST_OK for SQLITE_OK. */
static int report_fault(const struct filling *f, int fault)
{
	return !fault ? ST_OK : error_report("cannot write '%s': %s", f->path,
					     f->db ? sqlite3_errmsg(f->db) : "no memory");
}

static int insert_row(void *arg, const json_t *row)
{
	const struct filling *f = arg;
	const char *name;
	json_t *type;
	int at = 0, fault = SQLITE_OK;

	json_object_foreach(f->m->columns, name, type)
		fault = fault ? fault : bind_cell(f->insert, ++at, json_object_get(row, name));
	fault = fault || sqlite3_step(f->insert) != SQLITE_DONE;
	fault = sqlite3_reset(f->insert) || fault;
	return report_fault(f, fault);
}

static int fill_table(struct filling *f)
{
	char *create = statement(f->m, false), *insert = statement(f->m, true);
	int fault = create && insert ? SQLITE_OK : SQLITE_NOMEM, err;

	if (!fault)
		fault = sqlite3_exec(f->db, create, NULL, NULL, NULL);
	if (!fault)
		fault = sqlite3_prepare_v2(f->db, insert, -1, &f->insert, NULL);
	err = report_fault(f, fault);
	if (!err)
		err = merge_each(f->m, insert_row, f);
	sqlite3_finalize(f->insert);
	f->insert = NULL;
	free(create);
	free(insert);
	return err;
}

/* No other process has the file: it needs neither locks nor a journal. */
int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite)
{
	struct filling f = { .path = path };
	struct out o;
	int fault, err = out_open_file(&o, path, out_instead(overwrite));

	if (!err)
		err = out_begin_part(&o);
	if (!err) {
		fault = sqlite3_open_v2(o.part, &f.db, SQLITE_OPEN_READWRITE, "unix-none");
		if (!fault)
			fault = sqlite3_exec(f.db, "PRAGMA journal_mode = OFF; BEGIN", NULL, NULL,
					     NULL);
		err = report_fault(&f, fault);
	}
	for (f.m = m; f.m < m + n && !err; f.m++)
		if (f.m == m || f.m->nrows)
			err = fill_table(&f);
	if (!err)
		err = report_fault(&f, sqlite3_exec(f.db, "COMMIT", NULL, NULL, NULL));
	sqlite3_close(f.db);
	if (!err)
		return out_close(&o, true);
	out_discard(&o);
	return err;
}

#else

int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite)
{
	return error_unavailable("cannot write '%s': this program was built without SQLite; use "
				 ".csv or .jsonl", path);
}

#endif
