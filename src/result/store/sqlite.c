/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in an SQLite database. */
#include "result/store/sqlite.h"

#include "base/error.h"
#include "config.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "result/out.h"

/* Returns the SQL type for a type in column_type_names. */
static const char *sql_type(const json_t *type)
{
	const char *of = json_string_value(type);

	return !strcmp(of, "integer") ? "INTEGER" : !strcmp(of, "real") ? "REAL" : "TEXT";
}

/*
 * Returns the SQL statement that creates the table, or if `insert` is true the one that adds a row.
 * The caller frees the text; NULL without memory.
 */
static char *make_statement(const struct merged *m, bool insert)
{
	char *text = NULL;
	const char *name, *before = "";
	json_t *type;
	FILE *to = text_open(&text);

	fprintf(to, insert ? "INSERT INTO %s (" : "CREATE TABLE IF NOT EXISTS %s (", m->name);
	json_object_foreach(m->columns, name, type) {
		char *quoted = sqlite3_mprintf("\"%w\"", name);

		fprintf(to, "%s%s %s", before, quoted ? quoted : "", insert ? "" : sql_type(type));
		sqlite3_free(quoted);
		before = ", ";
	}
	for (size_t i = 0; i < json_object_size(m->columns) && insert; i++)
		fputs(i ? ", ?" : ") VALUES (?", to);
	fputs(")", to);
	return memory_or_exit(text_close(to, &text));
}

/* Binds a cell to parameter `at`. Returns a code of SQLite. */
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

/* A table of a database into which rows are being inserted. */
struct filling {
	const char *path;	/* path of the database, for messages */
	sqlite3 *db;
	const struct merged *m;
	sqlite3_stmt *insert;
};

/* Reports a fault of SQLite. Returns ST_FAILED, or ST_OK for SQLITE_OK. */
static int report_fault(const struct filling *f, int fault)
{
	return !fault ? ST_OK : error_report("cannot write '%s': %s", f->path,
					     f->db ? sqlite3_errmsg(f->db) : "no memory");
}

/* Inserts a row into the table of `arg`. */
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

/* Adds the columns that the table in an older database lacks. */
static int add_missing_columns(const struct filling *f)
{
	sqlite3_stmt *known = NULL;
	json_t *missing = json_copy(f->m->columns), *type;
	const char *name;
	int err = report_fault(f, sqlite3_prepare_v2(f->db, "SELECT name FROM "
						     "pragma_table_info(?)", -1, &known, NULL));

	if (!err)
		sqlite3_bind_text(known, 1, f->m->name, -1, SQLITE_STATIC);
	while (!err && sqlite3_step(known) == SQLITE_ROW)
		json_object_del(missing, (const char *)sqlite3_column_text(known, 0));
	sqlite3_finalize(known);
	json_object_foreach(missing, name, type) {
		char *alter = sqlite3_mprintf("ALTER TABLE %s ADD COLUMN \"%w\" %s", f->m->name,
					      name, sql_type(type));

		if (!err)
			err = report_fault(f, sqlite3_exec(f->db, alter, NULL, NULL, NULL));
		sqlite3_free(alter);
	}
	json_decref(missing);
	return err;
}

/* Inserts the rows in `list`, or if it is NULL the rows of the merged files. */
static int insert_rows(struct filling *f, const json_t *list)
{
	char *create = make_statement(f->m, false), *insert = make_statement(f->m, true);
	int fault = create && insert ? SQLITE_OK : SQLITE_NOMEM, err;
	json_t *row;
	size_t i;

	if (!fault)
		fault = sqlite3_exec(f->db, create, NULL, NULL, NULL);
	err = report_fault(f, fault);
	if (!err)
		err = add_missing_columns(f);
	if (!err)
		err = report_fault(f, sqlite3_prepare_v2(f->db, insert, -1, &f->insert, NULL));
	if (!err && !list)
		err = merge_each_row(f->m, insert_row, f);
	json_array_foreach(list, i, row)
		if (!err)
			err = insert_row(f, row);
	sqlite3_finalize(f->insert);
	f->insert = NULL;
	free(create);
	free(insert);
	return err;
}

/* No other process uses the new file, so it needs neither locks nor a journal. */
int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite)
{
	struct filling f = { .path = path };
	struct out o;
	int fault, err = out_open_file(&o, path, out_advice(overwrite));

	if (!err)
		err = out_create_part(&o);
	if (!err) {
		fault = sqlite3_open_v2(o.part, &f.db, SQLITE_OPEN_READWRITE, "unix-none");
		if (!fault)
			fault = sqlite3_exec(f.db, "PRAGMA journal_mode = OFF; BEGIN", NULL, NULL,
					     NULL);
		err = report_fault(&f, fault);
	}
	for (f.m = m; f.m < m + n && !err; f.m++)
		if (f.m == m || f.m->nrows)
			err = insert_rows(&f, NULL);
	if (!err)
		err = report_fault(&f, sqlite3_exec(f.db, "COMMIT", NULL, NULL, NULL));
	sqlite3_close(f.db);
	if (!err)
		return out_close(&o, true);
	out_discard(&o);
	return err;
}

/* ---- a database to which results are added ---- */

#define BUSY_MS 10000 /* longest wait while another process writes */
#define DOCUMENTS "documents"

int store_append(const struct merged *m, size_t n, const json_t *documents, const char *path)
{
	struct merged whole = { .name = DOCUMENTS, .columns = json_object() };
	struct filling f = { .path = path };
	const char *name;
	json_t *cell;
	int err = report_fault(&f, sqlite3_open(path, &f.db));

	json_object_foreach(json_array_get(documents, 0), name, cell)
		json_object_set_new(whole.columns, name, json_string("text"));
	sqlite3_busy_timeout(f.db, BUSY_MS);
	if (!err)
		err = report_fault(&f, sqlite3_exec(f.db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
	for (f.m = m; f.m < m + n && !err; f.m++)
		if (f.m->nrows)
			err = insert_rows(&f, NULL);
	f.m = &whole;
	if (!err)
		err = insert_rows(&f, documents);
	if (!err)
		err = report_fault(&f, sqlite3_exec(f.db, "COMMIT", NULL, NULL, NULL));
	sqlite3_close(f.db); /* also rolls back what is not committed */
	json_decref(whole.columns);
	return err;
}

int store_read(const char *path, json_t **documents)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *all = NULL;
	int fault = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), err;

	*documents = json_array();
	sqlite3_busy_timeout(db, BUSY_MS);
	if (!fault)
		fault = sqlite3_prepare_v2(db, "SELECT document FROM " DOCUMENTS " ORDER BY "
					   "run_date, rowid", -1, &all, NULL);
	while (!fault && (fault = sqlite3_step(all)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(all, 0);
		json_t *doc = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;

		fault = doc ? SQLITE_OK : SQLITE_CORRUPT;
		json_array_append_new(*documents, doc);
	}
	err = fault == SQLITE_DONE ? ST_OK :
	      error_usage("cannot read '%s' as a history: %s", path,
			  db && sqlite3_errcode(db) ? sqlite3_errmsg(db)
						    : "a document in it is not a result");
	sqlite3_finalize(all);
	sqlite3_close(db);
	if (!err)
		return ST_OK;
	json_decref(*documents);
	*documents = NULL;
	return err;
}

#else

int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite)
{
	return error_unavailable("cannot write '%s': this program was built without SQLite; use "
				 ".csv or .jsonl", path);
}

static int report_no_sqlite(const char *path)
{
	return error_unavailable("no history in '%s': this program was built without SQLite", path);
}

int store_append(const struct merged *m, size_t n, const json_t *documents, const char *path)
{
	(void)m, (void)n, (void)documents;
	return report_no_sqlite(path);
}

int store_read(const char *path, json_t **documents)
{
	*documents = NULL;
	return report_no_sqlite(path);
}

#endif
