/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory that a rank's library has made as files in /dev/shm, and leaves there if the rank
 * is killed. A backend notes it when it opens; job `fork` removes it when the rank has ended.
 */
#ifndef NETBENCH_JOB_LEAVINGS_H
#define NETBENCH_JOB_LEAVINGS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base/export.h"

#define LEAVINGS_MAX 16
#define LEAVINGS_NAME 64

/* The files of one rank; only that rank writes here. Zeroed: none. */
struct leavings {
	atomic_int n;
	struct leaving {
		char name[LEAVINGS_NAME];
		dev_t device;		/* which file it was: another of that name is another's */
		ino_t file;
	} of[LEAVINGS_MAX];
};

/*
 * This rank has made the file of that name in /dev/shm, and may make others called NAME_NUMBER.
 * Does nothing if l is NULL, since nobody removes the file then, or if the file is missing.
 */
NETBENCH_EXPORT void leavings_note(struct leavings *l, const char *name);

/* Removes what is still there of a rank that has ended. */
void leavings_remove(const struct leavings *l);

#endif
