/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Waits until a process opens the FIFO for writing. Returns the FIFO's first byte if it was read
 * while waiting, else EOF. On failure sets *why.
 */
static int await_writer(int fd, const char **why)
{
	double until = clock_wall() + FILE_PATIENCE_S;
	struct timespec nap = { 0, 20000000L };
	unsigned char first;
	ssize_t n;

	while (!(n = read(fd, &first, 1)) && clock_wall() < until)
		nanosleep(&nap, NULL);
	if (!n)
		*why = "no process writes this FIFO";
	else if (n < 0 && errno != EAGAIN)
		*why = strerror(errno);
	return n == 1 ? first : EOF;
}

FILE *file_open(const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), first = EOF;
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct stat st;

	*why = NULL;
	if (!f || fstat(fd, &st))
		*why = strerror(errno);
	else if (S_ISFIFO(st.st_mode))
		first = await_writer(fd, why);
	if (*why) {
		if (f)
			fclose(f);
		else if (fd >= 0)
			close(fd);
		return NULL;
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	if (first != EOF)
		ungetc(first, f);
	return f;
}

int file_replace(const char *path, const char *text, size_t len)
{
	mode_t mask = umask(0);
	int fd, fault;
	FILE *f = NULL;
	char *name;
	bool good;

	umask(mask);
	if (asprintf(&name, "%s.XXXXXX", path) < 0) {
		errno = ENOMEM;
		return -1;
	}
	fd = mkostemp(name, O_CLOEXEC);
	good = fd >= 0 && !fchmod(fd, 0666 & ~mask) && (f = fdopen(fd, "w")) &&
	       fwrite(text, 1, len, f) == len && !fflush(f) && !fsync(fd) && !rename(name, path);
	fault = errno;
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	if (fd >= 0 && !good)
		unlink(name);
	free(name);
	errno = fault;
	return good ? 0 : -1;
}

int file_drop_torn_line(const char *path, const char *begin)
{
	FILE *f = fopen(path, "r+e");
	bool good = f != NULL, first = true;
	char *line = NULL;
	size_t room = 0;
	off_t whole = 0;
	ssize_t len;

	while (good && (len = getline(&line, &room, f)) > 0) {
		good = !first || !strncmp(line, begin, strlen(begin));
		whole += line[len - 1] == '\n' ? len : 0;
		first = false;
	}
	good = good && !first && !ferror(f) && !ftruncate(fileno(f), whole);
	free(line);
	if (f)
		fclose(f);
	return good ? 0 : -1;
}

off_t file_end_of_row(const char *path, size_t nrows)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0, n = 0;
	off_t at = 0, found = -1;
	ssize_t len;

	while (f && found < 0 && (len = getline(&line, &room, f)) > 0) {
		at += len;
		if (*line != '#' && n++ == nrows)
			found = at;
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

bool file_first_line(const char *path, char *line, size_t len)
{
	FILE *f = fopen(path, "r");
	bool ok = f && fgets(line, (int)len, f);

	if (ok)
		line[strcspn(line, "\n")] = '\0';
	if (f)
		fclose(f);
	return ok;
}

int file_copy(FILE *from, FILE *to)
{
	char part[4096];	/* small: a rank in virtual time has a small stack */
	size_t n;

	errno = 0;
	while ((n = fread(part, 1, sizeof(part), from)) > 0)
		if (fwrite(part, 1, n, to) != n)
			return -1;
	return ferror(from) ? -1 : 0;
}

static const char mark[] = "\xef\xbb\xbf";

size_t byte_order_mark_length(const char *bytes, size_t n)
{
	return n >= strlen(mark) && !memcmp(bytes, mark, strlen(mark)) ? strlen(mark) : 0;
}

void file_skip_byte_order_mark(FILE *f)
{
	size_t n = 0;
	int c;

	while (mark[n] && (c = getc(f)) == (unsigned char)mark[n])
		n++;
	if (!mark[n])
		return;
	ungetc(c, f);
	while (n)
		ungetc((unsigned char)mark[--n], f);
}

const char *file_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}
