/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_RESULT_STORE_SQLITE_H
#define NETBENCH_RESULT_STORE_SQLITE_H

#include "result/store/tables.h"

/*
 * Writes n tables to a new database, which replaces the file `path`. Omits tables without rows,
 * except the first table. Returns ST_OK, ST_USAGE, ST_FAILED, or ST_UNAVAILABLE if this program was
 * built without SQLite (reported).
 */
int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite);

/*
 * Adds the rows of n tables to a database, which it creates if necessary. Omits tables without
 * rows. Also adds each member of `documents` as a row of the table "documents". Each member is an
 * object of texts, and all members have the same keys. The text of "document" is a result as JSON.
 * The text of "run_date" is the date of that result. Either all rows are added or none. Returns
 * ST_OK, ST_FAILED or ST_UNAVAILABLE (reported).
 */
int store_append(const struct merged *m, size_t n, const json_t *documents, const char *path);

/*
 * Reads the results in the table "documents", sorted by run_date. Sets *documents to a list of
 * these results (a new reference), or to NULL after a fault. Returns ST_OK, ST_USAGE or
 * ST_UNAVAILABLE (reported).
 */
int store_read(const char *path, json_t **documents);

#endif
