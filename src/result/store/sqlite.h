/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_RESULT_STORE_SQLITE_H
#define NETBENCH_RESULT_STORE_SQLITE_H

#include "result/store/tables.h"

/*
 * Writes n tables as a new database in place of the file. Leaves out tables without rows, except
 * the first. ST_OK, ST_USAGE, ST_FAILED, or ST_UNAVAILABLE if this program has no SQLite
 * (reported).
 */
int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite);

/*
 * Adds the rows of n tables to a database, which it makes if it is not there; tables without rows
 * are left out. The table "documents" gets the documents, objects of texts with the same members,
 * one of which is "document", a result as JSON, and one "run_date". All of it or nothing is added.
 * ST_OK, ST_FAILED or ST_UNAVAILABLE (reported).
 */
int store_append(const struct merged *m, size_t n, const json_t *documents, const char *path);

/*
 * The results of its table "documents" by rising run_date, as a list; a new reference, NULL after a
 * fault. ST_OK, ST_USAGE or ST_UNAVAILABLE (reported).
 */
int store_read(const char *path, json_t **documents);

#endif
