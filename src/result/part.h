/* SPDX-License-Identifier: Apache-2.0 */
/* FILE.part: what is written until it takes the place of an older FILE. */
#ifndef NETBENCH_RESULT_PART_H
#define NETBENCH_RESULT_PART_H

#include <sys/types.h>

/*
 * Creates a FILE.part for writing, with this mode, and locks it as long as *fd, or a duplicate, is
 * open. What a run that has ended has left there is kept as FILE.part.1, or the next number that is
 * free, which is said. ST_OK; ST_USAGE if a running process holds it, or it cannot be made
 * (reported).
 */
int part_create(const char *part, mode_t mode, int *fd);

#endif
