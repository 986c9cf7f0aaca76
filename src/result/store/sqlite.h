/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_RESULT_STORE_SQLITE_H
#define NETBENCH_RESULT_STORE_SQLITE_H

#include "result/store/tables.h"

/*
 * Writes n tables as a new database, which replaces the file. Omits tables without rows, except the
 * first. Returns ST_OK, ST_USAGE, ST_FAILED, or ST_UNAVAILABLE if this program has no SQLite
 * (reported).
 */
int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite);

/*
 * Adds the rows of n tables to a database, which it creates if necessary. Omits tables without
 * rows. Each of `documents` becomes a row of the table "documents". It is an object of texts; all
 * have the same members. The member "document" is a result as JSON, and "run_date" its date. Either
 * all rows are added or none. Returns ST_OK, ST_FAILED or ST_UNAVAILABLE (reported).
 */
int store_append(const struct merged *m, size_t n, const json_t *documents, const char *path);

/*
 * Reads the results of the table "documents" by increasing run_date, as a list: a new reference,
 * NULL after a fault. Returns ST_OK, ST_USAGE or ST_UNAVAILABLE (reported).
 */
int store_read(const char *path, json_t **documents);

#endif
