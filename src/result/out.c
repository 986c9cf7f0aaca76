/* SPDX-License-Identifier: Apache-2.0 */
#include "result/out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Reports why o cannot be opened or written; `report` is error_report or error_usage. */
static int cannot(int (*report)(const char *fmt, ...), const char *verb, const struct out *o,
		  int err)
{
	if (!o->path)
		return report("cannot %s standard output: %s", verb, strerror(err));
	return report("cannot %s '%s': %s", verb, o->path, strerror(err));
}

static int identify(struct out *o)
{
	struct stat st;

	if (fstat(o->fd, &st))
		return cannot(error_usage, "open", o, errno);
	o->dev = st.st_dev;
	o->ino = st.st_ino;
	o->regular = S_ISREG(st.st_mode);
	return ST_OK;
}

int out_open_stdout(struct out *o)
{
	struct stat on_stderr;
	int err;

	fflush(stdout);
	*o = (struct out){ .fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) };
	if (o->fd < 0)
		return cannot(error_usage, "open", o, errno);
	err = identify(o);
	if (err)
		return err;
	o->whole = lseek(o->fd, 0, SEEK_CUR);
	/* a file that stderr shares ("> log 2>&1"), or opened for appending, is not overwritten */
	o->regular = o->regular && o->whole >= 0 && !(fcntl(o->fd, F_GETFL) & O_APPEND) &&
		     (fstat(STDERR_FILENO, &on_stderr) || on_stderr.st_dev != o->dev ||
		      on_stderr.st_ino != o->ino);
	return ST_OK;
}

int out_open_file(struct out *o, const char *path)
{
	*o = (struct out){ .fd = -1, .path = strdup(path) };
	if (!o->path)
		return error_report("out of memory");
	o->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (o->fd < 0 && errno == ENOENT) {
		o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		o->created = o->fd >= 0;
	}
	if (o->fd < 0)
		return cannot(error_usage, "open", o, errno);
	return identify(o);
}

bool out_is_same(const struct out *a, const struct out *b)
{
	return a->regular && a->dev == b->dev && a->ino == b->ino;
}

int out_truncate(struct out *o)
{
	if (o->path && o->regular && ftruncate(o->fd, 0))
		return cannot(error_usage, "truncate", o, errno);
	return ST_OK;
}

int out_close(struct out *o)
{
	if (o->fd >= 0 && close(o->fd) && errno != EINTR && !o->failed) {
		o->failed = true;
		cannot(error_report, "write", o, errno);
	}
	free(o->path);
	free(o->tail);
	free(o->text);
	return o->failed ? ST_FAILED : ST_OK;
}

void out_discard(struct out *o)
{
	if (o->created)
		unlink(o->path);
	o->failed = true;	/* reported */
	out_close(o);
}

/* Makes room for len more bytes and a terminator. */
static bool reserve(struct out *o, size_t len)
{
	size_t room = o->room ? o->room : 1024;
	char *text;

	while (room < o->len + len + 1)
		room *= 2;
	if (room == o->room)
		return true;
	text = realloc(o->text, room);
	if (!text) {
		o->nomem = true;
		return false;
	}
	o->text = text;
	o->room = room;
	return true;
}

void out_add(struct out *o, const char *s, size_t len)
{
	if (!reserve(o, len))
		return;
	memcpy(o->text + o->len, s, len);
	o->len += len;
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0 || !reserve(o, (size_t)len)) {
		o->nomem = true;
		return;
	}
	va_start(args, fmt);
	vsnprintf(o->text + o->len, (size_t)len + 1, fmt, args);
	va_end(args);
	o->len += (size_t)len;
}

/* One write if the system takes it all; what is left then meets the error. 0 or errno. */
static int write_all(int fd, const char *s, size_t len)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };

	while (len) {
		ssize_t done = write(fd, s, len);

		if (done > 0) {
			s += done;
			len -= (size_t)done;
		} else if (done == 0) {
			return EIO;
		} else if (errno == EAGAIN) {
			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

/* Puts s behind the last whole row, in place of what was there. 0 or errno. */
static int overwrite(const struct out *o, const char *s, size_t len)
{
	int err;

	if (!o->regular)
		return write_all(o->fd, s, len);
	if (lseek(o->fd, o->whole, SEEK_SET) < 0)
		return errno;
	err = write_all(o->fd, s, len);
	if (err)
		return err;
	return ftruncate(o->fd, o->whole + (off_t)len) ? errno : 0;
}

/*
 * The old tail goes back before the file is cut, into blocks that it still has: on a full
 * disk a file that was cut first could not grow again.
 */
static void roll_back(struct out *o)
{
	if (!o->regular || !overwrite(o, o->tail, o->tail_len))
		return;
	if (ftruncate(o->fd, o->whole))
		error_warn("'%s' ends in a torn row", o->path ? o->path : "standard output");
}

/* 0 or errno, with the file as it was. */
static int put(struct out *o, size_t keep)
{
	size_t tail_len = o->len - keep;
	char *tail = tail_len ? malloc(tail_len) : NULL;
	int err = o->nomem || (tail_len && !tail) ? ENOMEM : 0;

	if (!err && (err = overwrite(o, o->text, o->len)))
		roll_back(o);
	if (err) {
		free(tail);
		return err;
	}
	if (tail)
		memcpy(tail, o->text + keep, tail_len);
	free(o->tail);
	o->tail = tail;
	o->tail_len = tail_len;
	o->whole += (off_t)keep;
	return 0;
}

int out_commit(struct out *o, size_t keep)
{
	int err = put(o, keep);

	o->len = 0;
	if (!err)
		return ST_OK;
	o->failed = true;
	return cannot(error_report, "write", o, err);
}
