/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_MERGE_TEXT_H
#define NETBENCH_CMD_MERGE_TEXT_H

#include "result/store/tables.h"

/*
 * Writes the table to a file, or to standard output if path is NULL. Writes CSV with a line of
 * column names or, if `lines`, one JSON object per row. `overwrite` allows replacing an earlier
 * result. Returns ST_OK, or another ST_* (reported).
 */
int merge_write_text(const struct merged *m, const char *path, bool lines, bool overwrite);

#endif
