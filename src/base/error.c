/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool quiet, verbose;
static _Thread_local bool unbuffered;
static atomic_int *shared_claim;
static void (*route)(const char *text, int status);

/* Writes the line with one call of write, so that lines of several processes do not mix. */
static void write_line(const char *kind, const char *text)
{
	char line[ERROR_TEXT + 64];
	int len = snprintf(line, sizeof(line) - 1, "netbench: %s%s", kind, text);

	len = len < 0 ? 0 : len > (int)sizeof(line) - 2 ? (int)sizeof(line) - 2 : len;
	for (int i = 0; i < len; i++)	/* a user's text may contain control characters */
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[len++] = '\n';
	if (!unbuffered)
		fflush(stdout);
	if (write(STDERR_FILENO, line, (size_t)len) < 0)
		return; /* the failure cannot be reported anywhere else */
}

/*
 * Passes a fault to the function set by error_route. Without such a function, prints it on stderr,
 * but only if it is the first fault among the ranks that share the claim.
 */
static void report_fault(int status, const char *fmt, va_list args)
{
	char text[ERROR_TEXT];
	int none = 0;

	vsnprintf(text, sizeof(text), fmt, args);
	if (route) {
		route(text, status);
	} else if (!shared_claim) {
		write_line("", text);
	} else if (atomic_compare_exchange_strong(shared_claim, &none, -status)) {
		write_line("", text);
		atomic_store(shared_claim, status);
	}
}

#define FAULT(name, status)                                                                        \
	int name(const char *fmt, ...)                                                             \
	{                                                                                          \
		va_list args;                                                                      \
		va_start(args, fmt);                                                               \
		report_fault(status, fmt, args);                                                   \
		va_end(args);                                                                      \
		return status;                                                                     \
	}

FAULT(error_report, ST_FAILED)
FAULT(error_usage, ST_USAGE)
FAULT(error_unavailable, ST_UNAVAILABLE)
FAULT(error_no_verdict, ST_NO_VERDICT)

int error_flush(int status)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if ((!fflush(stdout) && !ferror(stdout)) || status != ST_OK)
		return status;
	if (poll(&p, 1, 0) == 1 && p.revents & POLLERR)	/* a pipe or socket without a reader */
		return ST_NO_READER;
	return error_report("cannot write standard output: %s", strerror(errno));
}

#define REMARK(name, wanted, kind)                                                                 \
	void name(const char *fmt, ...)                                                            \
	{                                                                                          \
		char text[ERROR_TEXT];                                                             \
		va_list args;                                                                      \
		if (!(wanted))                                                                     \
			return;                                                                    \
		va_start(args, fmt);                                                               \
		vsnprintf(text, sizeof(text), fmt, args);                                          \
		va_end(args);                                                                      \
		write_line(kind, text);                                                            \
	}

REMARK(error_warn, !quiet, "warning: ")
REMARK(error_note, verbose, "")

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
	shared_claim = claim;
}

void error_unbuffered(void)
{
	unbuffered = true;
}

void error_route(void (*to)(const char *text, int status))
{
	route = to;
}
