/* SPDX-License-Identifier: Apache-2.0 */
#include "result/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/*
 * TRIES: number of attempts to create the file, because other runs may create it at the same time.
 * NUMBERS: limit of N in FILE.part.N.
 */
#define TRIES 100
#define NUMBERS 1000000

/*
 * Renames a file, but never replaces another one. Returns false with errno; EEXIST: a file with the
 * new name exists.
 */
static bool rename_without_replacing(const char *from, const char *to)
{
	if (!link(from, to))
		return !unlink(from);
	if (errno == EEXIST || !access(to, F_OK)) {
		errno = EEXIST;
		return false;
	}
	return !rename(from, to);	/* the file system has no hard links */
}

/* Renames FILE.part to FILE.part.N, where N is the next free number. */
static int rename_old_part(const char *part)
{
	char *name;
	int fault = EEXIST;
	bool kept;

	for (unsigned int i = 1; i < NUMBERS; i++) {
		if (asprintf(&name, "%s.%u", part, i) < 0)
			return error_report("no memory for the name of a file");
		kept = rename_without_replacing(part, name);
		if (kept)
			error_warn("'%s' is left from an unfinished run: renamed to '%s'", part,
				   name);
		fault = kept ? 0 : errno;
		free(name);
		if (fault != EEXIST)
			break;
	}
	return !fault ? ST_OK : error_usage("'%s' already exists, and cannot be renamed: %s",
					    part, strerror(fault));
}

/* True if the open file fd still has this path. */
static bool is_same_file(const char *path, int fd)
{
	struct stat named, open;

	return !lstat(path, &named) && !fstat(fd, &open) && named.st_dev == open.st_dev &&
	       named.st_ino == open.st_ino;
}

/*
 * Renames an old FILE.part, which is open as fd, or removes it if it is empty. Refuses if another
 * run is writing it.
 */
static int move_part_aside(const char *part, int fd)
{
	struct stat st;
	int locked;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return error_usage("'%s' already exists, and is not a regular file: move or "
				   "remove it", part);
	locked = flock(fd, LOCK_EX | LOCK_NB);
	if (locked && errno == EWOULDBLOCK)
		return error_usage("'%s' already exists, and another run writes it: wait for its "
				   "end, or name another output", part);
	if (locked)
		return error_usage("'%s' already exists, and cannot be locked: %s; move or "
				   "remove it if no run writes it", part, strerror(errno));
	if (!is_same_file(part, fd))
		return ST_OK;
	return !st.st_size && !unlink(part) ? ST_OK : rename_old_part(part);
}

/* Renames or removes a FILE.part of an earlier run, if it exists. */
static int move_old_part(const char *part)
{
	int fd = open(part, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), err;

	if (fd < 0 && errno == ENOENT)
		return ST_OK;
	if (fd < 0)
		return error_usage("'%s' already exists, and cannot be opened: %s: move or "
				   "remove it", part, strerror(errno));
	err = move_part_aside(part, fd);
	close(fd);
	return err;
}

int part_create(const char *part, mode_t mode, int *fd)
{
	int err = ST_OK;

	for (int i = 0; i < TRIES && !err; i++) {
		*fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (*fd < 0 && errno != EEXIST)
			return error_usage("cannot create '%s': %s", part, strerror(errno));
		/*
		 * Another run may already have renamed this new file, because it took it for the
		 * file of an earlier run. Then try again.
		 */
		if (*fd >= 0 && !(flock(*fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) &&
		    is_same_file(part, *fd))
			return ST_OK;
		if (*fd >= 0)
			close(*fd);
		else
			err = move_old_part(part);
	}
	*fd = -1;
	return err ? err : error_usage("cannot create '%s': other runs keep creating it; name "
				       "another output", part);
}
