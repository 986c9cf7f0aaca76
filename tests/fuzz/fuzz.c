/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"

static void check(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		abort();
	}
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	check(!ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size, "memfd");
	return path;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	check(text != NULL, "malloc");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

void fuzz_pair(int ends[2])
{
	check(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), "socketpair");
}

static void nowhere(const char *text, int status)
{
}

void fuzz_hush(void)
{
	error_quiet(true);
	error_route(nowhere);
}
