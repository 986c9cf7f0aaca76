/* SPDX-License-Identifier: Apache-2.0 */
/* Reads results of a history from files, or from the database in a directory. */
#ifndef NETBENCH_CMD_COLLECT_H
#define NETBENCH_CMD_COLLECT_H

#include "analyse/history/series.h"

/* The path of the database in a history's directory, for free(); NULL without memory (reported). */
char *history_file(const char *directory);

/*
 * Adds the results of a file, or of the history in a directory. ST_OK, ST_USAGE if it cannot be
 * read, ST_UNAVAILABLE without SQLite, or ST_FAILED (reported).
 */
int collect_results(struct past_runs *all, const char *path);

#endif
