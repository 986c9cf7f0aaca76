/* SPDX-License-Identifier: Apache-2.0 */
/* FILE.part: a new file before it takes the place of an older FILE. */
#ifndef NETBENCH_RESULT_PART_H
#define NETBENCH_RESULT_PART_H

#include <sys/types.h>

/*
 * Creates FILE.part for writing, with this mode. It is locked while *fd or a duplicate is open. If
 * an earlier run has left a FILE.part, renames it to FILE.part.1 or the next free number, with a
 * warning. ST_OK; ST_USAGE if a running process holds it, or it cannot be created (reported).
 */
int part_create(const char *part, mode_t mode, int *fd);

#endif
