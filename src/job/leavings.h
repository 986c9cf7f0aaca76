/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory that a rank's library has made as files in /dev/shm. The files remain if the rank
 * is killed. A backend notes them when it opens; job `fork` removes them when the rank has ended.
 */
#ifndef NETBENCH_JOB_LEAVINGS_H
#define NETBENCH_JOB_LEAVINGS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base/export.h"

#define LEAVINGS_MAX 16
#define LEAVINGS_NAME 64

/* The files of one rank. Only that rank writes here. A zeroed struct means no files. */
struct leavings {
	atomic_int n;
	struct leaving {
		char name[LEAVINGS_NAME];
		/* identity of the file: a file of the same name may be another's */
		dev_t device;
		ino_t file;
	} of[LEAVINGS_MAX];
};

/*
 * Notes that this rank has made a file of this name in /dev/shm. It may also have made files called
 * NAME_NUMBER. Does nothing if the file is missing, or if l is NULL, because the file would stay
 * there then.
 */
NETBENCH_EXPORT void leavings_add(struct leavings *l, const char *name);

/* Removes the files that an ended rank has left. */
void leavings_remove(const struct leavings *l);

#endif
