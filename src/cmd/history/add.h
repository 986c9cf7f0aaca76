/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_HISTORY_ADD_H
#define NETBENCH_CMD_HISTORY_ADD_H

/*
 * Adds the results of n files to the history in a directory. Creates the directory if it does not
 * exist. Skips runs that the history already has. Prints how many runs were added, and how each new
 * series differs from the run before it. Returns ST_OK or another ST_* (reported).
 */
int history_add(const char *directory, int n, char **paths);

#endif
