/* SPDX-License-Identifier: Apache-2.0 */
/* FILE.part: the file to which a new result is written before it replaces an older FILE. */
#ifndef NETBENCH_RESULT_PART_H
#define NETBENCH_RESULT_PART_H

#include <sys/types.h>

/*
 * Creates FILE.part with this mode, and opens it for writing. The file is locked while *fd or a
 * duplicate is open. If an earlier run left a FILE.part, it is renamed to FILE.part.1 or the next
 * free number, with a warning. Returns ST_OK, or ST_USAGE if another run is writing FILE.part or it
 * cannot be created (reported).
 */
int part_create(const char *part, mode_t mode, int *fd);

#endif
