/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_MERGE_SQLITE_H
#define NETBENCH_CMD_MERGE_SQLITE_H

#include "cmd/merge/tables.h"

/*
 * Writes n tables as a new database in place of the file. Leaves out tables without rows, except
 * the first. ST_OK, ST_USAGE, ST_FAILED, or ST_UNAVAILABLE if this program has no SQLite
 * (reported).
 */
int merge_write_sqlite(const struct merged *m, size_t n, const char *path, bool overwrite);

#endif
