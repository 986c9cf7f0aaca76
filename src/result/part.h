/* SPDX-License-Identifier: Apache-2.0 */
/* FILE.part: a new file until it replaces an older FILE. */
#ifndef NETBENCH_RESULT_PART_H
#define NETBENCH_RESULT_PART_H

#include <sys/types.h>

/*
 * Creates FILE.part for writing, with this mode. It is locked while *fd or a duplicate is open. A
 * FILE.part that an earlier run left is renamed, with a warning, to FILE.part.1 or the next free
 * number. Returns ST_OK, or ST_USAGE if a running process holds FILE.part or it cannot be created
 * (reported).
 */
int part_create(const char *part, mode_t mode, int *fd);

#endif
