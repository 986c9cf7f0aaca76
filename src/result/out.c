/* SPDX-License-Identifier: Apache-2.0 */
#include "result/out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "result/part.h"
#include "result/recognise.h"

/* Returns the path of the file that is being written: FILE.part or FILE. */
static const char *written_path(const struct out *o)
{
	return o->part ? o->part : o->path;
}

/*
 * Reports why an output cannot be opened or written. `report` is error_report or error_usage.
 * Returns the status that `report` returns.
 */
static int report_fault(int (*report)(const char *fmt, ...), const char *verb, const struct out *o,
		  int err)
{
	if (!o->path)
		return report("cannot %s standard output: %s", verb, strerror(err));
	return report("cannot %s '%s': %s", verb, written_path(o), strerror(err));
}

int out_open_stdout(struct out *o)
{
	struct stat st, on_stderr;

	fflush(stdout);
	*o = (struct out){ .fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) };
	if (o->fd < 0 || fstat(o->fd, &st))
		return report_fault(error_usage, "open", o, errno);
	o->whole = lseek(o->fd, 0, SEEK_CUR);
	/*
	 * Overwrite no text if stderr writes to the same file ("> log 2>&1"), or if the file was
	 * opened for appending.
	 */
	o->regular = S_ISREG(st.st_mode) && o->whole >= 0 && !(fcntl(o->fd, F_GETFL) & O_APPEND) &&
		     (fstat(STDERR_FILENO, &on_stderr) || on_stderr.st_dev != st.st_dev ||
		      on_stderr.st_ino != st.st_ino);
	return ST_OK;
}

/* True if the path names a FIFO. */
static bool is_fifo(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

/*
 * Opens an existing file. For a FIFO, waits up to OUT_PATIENCE_S for a reader. Returns -1 with
 * errno on failure.
 */
static int open_existing(const char *path)
{
	double until = clock_wall() + OUT_PATIENCE_S;
	struct timespec nap = { 0, 20000000L };
	int fd;

	while ((fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == ENXIO &&
	       is_fifo(path) && clock_wall() < until)
		nanosleep(&nap, NULL);
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

int out_open_file(struct out *o, const char *path, const char *instead)
{
	char command[RECOGNISE_COMMAND];
	struct stat st;

	*o = (struct out){ .fd = -1, .path = strdup(path) };
	if (!o->path)
		return error_report("out of memory");
	/* only this call decides whether a result may be replaced */
	if (instead && result_recognise(path, command))
		return error_usage("'%s' is a result of 'netbench %s': %s, or give '--overwrite' "
				   "to lose it", path, command, instead);
	o->fd = open_existing(path);
	if (o->fd < 0 && errno == ENXIO && is_fifo(path))
		return error_usage("cannot open '%s': no process has opened this FIFO for reading "
				   "within %d s", path, OUT_PATIENCE_S);
	if (o->fd < 0 && errno == ENOENT) {
		o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		o->created = o->fd >= 0;
	}
	if (o->fd < 0 || fstat(o->fd, &st))
		return report_fault(error_usage, "open", o, errno);
	o->regular = S_ISREG(st.st_mode);
	if (o->regular && !lstat(path, &st) && S_ISLNK(st.st_mode)) {
		free(o->path);
		o->path = realpath(path, NULL);
	}
	return o->path ? ST_OK : error_report("out of memory");
}

int out_begin(struct out *o)
{
	struct stat old;

	if (!o->path || !o->regular || fstat(o->fd, &old) || !old.st_size)
		return ST_OK;
	return out_create_part(o);
}

int out_begin_appending(struct out *o, bool overwrite, bool resume)
{
	struct stat old;

	if (!o->regular)
		return ST_OK;
	if (flock(o->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return error_usage("'%s' is being written by another run", o->path);
	if (resume || fstat(o->fd, &old) || !old.st_size)
		return ST_OK;
	if (!overwrite)
		return error_usage("'%s' is not empty: give '--resume' to go on with it, "
				   "'--overwrite' to lose it, or name another file", o->path);
	return ftruncate(o->fd, 0) ? report_fault(error_usage, "empty", o, errno) : ST_OK;
}

int out_resume(struct out *o, off_t whole, size_t nrows)
{
	if (ftruncate(o->fd, whole))
		return report_fault(error_report, "cut", o, errno);
	o->whole = whole;
	o->nrows = nrows;
	return ST_OK;
}

int out_sync(struct out *o)
{
	if (!o->regular || o->failed || !fsync(o->fd))
		return ST_OK;
	o->failed = true;
	return report_fault(error_report, "write", o, errno);
}

int out_create_part(struct out *o)
{
	struct stat old;
	int fd, err;

	if (!o->regular || fstat(o->fd, &old))
		return error_usage("'%s' is not a regular file", o->path);
	if (asprintf(&o->part, "%s.part", o->path) < 0) {
		o->part = NULL;
		return error_report("out of memory");
	}
	err = part_create(o->part, old.st_mode & 0777, &fd);
	if (err) {
		free(o->part);
		o->part = NULL;
		return err;
	}
	/* give FILE.part the owner and mode of the older file, as far as the system permits */
	if (fchown(fd, old.st_uid, old.st_gid) && fchown(fd, (uid_t)-1, old.st_gid))
		old.st_mode &= ~(mode_t)S_IRWXG;
	fchmod(fd, old.st_mode & 0777);
	close(o->fd);
	o->fd = fd;
	return ST_OK;
}

/*
 * Renames FILE.part to FILE. If `replace` is false, or writing failed, FILE stays as it is;
 * FILE.part is kept if it has rows, and removed otherwise.
 */
static void rename_or_keep_part(struct out *o, bool replace)
{
	if (replace && !o->failed) {
		if (!rename(o->part, o->path))
			return;
		o->failed = true;
		error_report("cannot rename '%s' to '%s': %s", o->part, o->path, strerror(errno));
	}
	if (!o->nrows && !o->ndrafts)
		unlink(o->part);
	else
		error_warn("'%s' is unchanged: the rows of this run are in '%s'", o->path,
			   o->part);
}

int out_close(struct out *o, bool replace)
{
	/* this duplicate keeps the lock until FILE.part is renamed */
	int lock = o->part ? fcntl(o->fd, F_DUPFD_CLOEXEC, 0) : -1;

	if (o->fd >= 0 && close(o->fd) && errno != EINTR && !o->failed) {
		o->failed = true;
		report_fault(error_report, "write", o, errno);
	}
	if (o->part)
		rename_or_keep_part(o, replace);
	if (lock >= 0)
		close(lock);
	free(o->path);
	free(o->part);
	free(o->tail);
	free(o->text);
	return o->unread ? ST_NO_READER : o->failed ? ST_FAILED : ST_OK;
}

void out_discard(struct out *o)
{
	if (o->created)
		unlink(o->path);
	o->failed = true;	/* reported */
	out_close(o, false);
}

/* Grows the buffer so that len more bytes and a terminator fit. Returns false without memory. */
static bool reserve_text(struct out *o, size_t len)
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
	if (!reserve_text(o, len))
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
	if (len < 0 || !reserve_text(o, (size_t)len)) {
		o->nomem = true;
		return;
	}
	va_start(args, fmt);
	vsnprintf(o->text + o->len, (size_t)len + 1, fmt, args);
	va_end(args);
	o->len += (size_t)len;
}

/*
 * Writes all bytes, in one write() if the system accepts that. If write() accepts fewer bytes, the
 * next write() returns the error, if any. Returns 0 or errno.
 */
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

/*
 * Writes len + npad bytes of s after the last complete row, over the old tail. Then truncates the
 * file after the first len of these bytes. Until the truncation, the npad bytes of padding hide the
 * rest of the old tail. Returns 0 or errno.
 */
static int write_after_rows(const struct out *o, const char *s, size_t len, size_t npad)
{
	int err;

	if (!o->regular)
		return write_all(o->fd, s, len);
	if (lseek(o->fd, o->whole, SEEK_SET) < 0)
		return errno;
	err = write_all(o->fd, s, len + npad);
	if (err)
		return err;
	return ftruncate(o->fd, o->whole + (off_t)len) ? errno : 0;
}

/*
 * If the text is shorter than the old tail, adds empty lines to it. Otherwise the file would, for a
 * moment or after a kill, contain the end of the old tail after the new one. Returns the number of
 * bytes added; o->len does not count them.
 */
static size_t pad_to_old_tail(struct out *o)
{
	size_t len = o->len, npad;

	while (o->regular && o->len < o->tail_len && !o->nomem)
		out_add(o, "\n", 1);
	npad = o->len - len;
	o->len = len;
	return npad;
}

/*
 * Writes the text over the old tail. The new tail is the text after its first `keep` bytes. Returns
 * 0, or errno after restoring the file.
 */
static int replace_tail(struct out *o, size_t keep)
{
	size_t tail_len = o->len - keep, npad = pad_to_old_tail(o);
	char *tail = tail_len ? malloc(tail_len) : NULL;
	int err = o->nomem || (tail_len && !tail) ? ENOMEM : 0;

	/*
	 * After a fault, restore the old tail before truncating the file, while the file still has
	 * the disk blocks for it. On a full disk the file could not grow again after truncation.
	 */
	if (!err && (err = write_after_rows(o, o->text, o->len, npad)) && o->regular &&
	    write_after_rows(o, o->tail, o->tail_len, 0) && ftruncate(o->fd, o->whole))
		error_warn("file '%s' ends in an incomplete row",
			   o->path ? written_path(o) : "standard output");
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

void out_begin_draft(struct out *o)
{
	if (!o->drafting)
		o->ndrafts = o->resume = 0;
	o->drafting = true;
	o->len = o->resume;
}

int out_end_drafts(struct out *o)
{
	if (!o->drafting)
		return ST_OK;
	o->drafting = false;
	return out_commit(o, 0);
}

int out_commit(struct out *o, size_t keep)
{
	int err;

	if (o->drafting) {
		o->resume = keep;
		return ST_OK;
	}
	err = replace_tail(o, keep);
	o->len = 0;
	if (!err)
		return ST_OK;
	o->failed = true;
	o->unread = err == EPIPE && !o->path;
	return o->unread ? ST_NO_READER : report_fault(error_report, "write", o, err);
}

int out_check_file(const char *path, const char *instead)
{
	struct stat st;
	struct out o;
	int err;

	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		/* opening and closing a FIFO would show its reader an end of file */
		return ST_OK;
	err = out_open_file(&o, path, instead);
	out_discard(&o);
	return err;
}

int out_write_file(const char *path, const char *text, size_t len, const char *instead)
{
	struct out o;
	int err = out_open_file(&o, path, instead);

	if (!err)
		err = out_begin(&o);
	if (!err) {
		out_add(&o, text, len);
		err = out_commit(&o, o.len);
	}
	if (!err)
		return out_close(&o, true);
	out_discard(&o);
	return err;
}
