/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes shared memory that killed ranks leave behind: files in /dev/shm, made by a rank's
 * library. A backend registers these files when it opens. Job `fork` removes them when the rank has
 * ended.
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
		/*
		 * device and inode identify the file: another program's file may have the same name
		 */
		dev_t device;
		ino_t file;
	} of[LEAVINGS_MAX];
};

/*
 * Registers a file of this name in /dev/shm, made by this rank, for removal. Files called
 * NAME_NUMBER will also be removed. Does nothing if the file is missing or l is NULL.
 */
NETBENCH_EXPORT void leavings_add(struct leavings *l, const char *name);

/* Removes the registered files of a rank that has ended. */
void leavings_remove(const struct leavings *l);

#endif
