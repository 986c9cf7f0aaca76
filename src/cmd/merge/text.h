/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_MERGE_TEXT_H
#define NETBENCH_CMD_MERGE_TEXT_H

#include "result/store/tables.h"

/*
 * Write the table to a file, or with NULL to standard output: with a line of names, or for `lines`
 * an object for each row. The file may be a result if `overwrite`. ST_OK, or ST_* (reported).
 */
int merge_write_text(const struct merged *m, const char *path, bool lines, bool overwrite);

#endif
