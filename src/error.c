/* SPDX-License-Identifier: Apache-2.0 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static bool quiet, verbose;
static atomic_int *once;

/* One write, so that lines of several processes do not mix. */
static void say(const char *kind, const char *fmt, va_list args)
{
	char line[1024];
	int len = snprintf(line, sizeof(line), "netbench: %s", kind);
	int more = vsnprintf(line + len, sizeof(line) - (size_t)len - 1, fmt, args);

	if (more > 0)
		len += more;
	if (len > (int)sizeof(line) - 2)
		len = (int)sizeof(line) - 2;
	for (int i = 0; i < len; i++)	/* what the user typed may hold anything */
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[len++] = '\n';
	fflush(stdout);
	if (write(STDERR_FILENO, line, (size_t)len) < 0)
		return; /* there is nowhere left to say so */
}

static void fault(const char *fmt, va_list args)
{
	if (!once || !atomic_exchange(once, 1))
		say("", fmt, args);
}

#define FAULT(name, status)                                                                        \
	int name(const char *fmt, ...)                                                             \
	{                                                                                          \
		va_list args;                                                                      \
		va_start(args, fmt);                                                               \
		fault(fmt, args);                                                                  \
		va_end(args);                                                                      \
		return status;                                                                     \
	}

FAULT(error, ST_FAILED)
FAULT(error_usage, ST_USAGE)
FAULT(error_unavailable, ST_UNAVAILABLE)

void warning(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (!quiet)
		say("warning: ", fmt, args);
	va_end(args);
}

void note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (verbose)
		say("", fmt, args);
	va_end(args);
}

void error_quiet(bool on)
{
	quiet = on;
}

void error_verbose(bool on)
{
	verbose = on;
}

void error_claim(atomic_int *claim)
{
	once = claim;
}
