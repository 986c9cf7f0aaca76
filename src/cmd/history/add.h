/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_HISTORY_ADD_H
#define NETBENCH_CMD_HISTORY_ADD_H

/*
 * Adds the results of n files to the history of a directory, which it makes if it is not there;
 * runs that it has already are left out. Prints how many were added, and how a new series differs
 * from the others. ST_OK or ST_* (reported).
 */
int history_add(const char *directory, int n, char **paths);

#endif
