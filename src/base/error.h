/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults, and the exit status of each.
 *
 * The function that finds a fault reports it with one of the functions below and returns their
 * result. Every caller only passes that result on:
 *
 *	if (!dev)
 *		return error_unavailable("no device named '%s'", name);
 *
 * A message is lower case, names the fault first and the subject in quotes, and has no full stop.
 */
#ifndef NETBENCH_BASE_ERROR_H
#define NETBENCH_BASE_ERROR_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/export.h"

/* Return values of functions that can fail. They are also the exit statuses of the process. */
enum status {
	ST_OK = 0,
	ST_FAILED = 1,		/* a wrong result, a lost rank, a failed write, or the like */
	ST_USAGE = 2,		/* the command line is at fault */
	ST_UNAVAILABLE = 3,	/* a valid request that this machine cannot fulfil */
	ST_NO_VERDICT = 4,	/* a verdict was asked for, and the data do not suffice */
	/*
	 * The reader of standard output has closed it, as 'head' does. The process ends silently
	 * with the status that SIGPIPE would give.
	 */
	ST_NO_READER = 141,
	/* Never an exit status: a peer is lost, and the run continues without it (job.h). */
	ST_LOST = 5,
};

/* Prints "netbench: ..." on stderr. Returns ST_FAILED. */
NETBENCH_EXPORT int error_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Like error_report, for a fault in the command line. Returns ST_USAGE. */
NETBENCH_EXPORT int error_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Like error_report, for something that this machine lacks. Returns ST_UNAVAILABLE. */
NETBENCH_EXPORT int error_unavailable(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Like error_report, for data that do not suffice for a verdict. Returns ST_NO_VERDICT. */
int error_no_verdict(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Flushes standard output and returns `status`. If `status` is ST_OK and the flush fails, returns
 * ST_NO_READER, or ST_FAILED (reported).
 */
int error_flush(int status);

/* Prints "netbench: warning: ..." on stderr, unless error_quiet(true) was called. */
NETBENCH_EXPORT void error_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "netbench: ..." on stderr if error_verbose(true) was called: the reason of a choice. */
NETBENCH_EXPORT void error_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Options -q and -v: switch warnings off, and notes on. */
void error_quiet(bool on);
void error_verbose(bool on);

/*
 * Makes ranks that share a terminal report one fault only once. They share a claim: an atomic in
 * shared memory that starts at 0. The first process that reports a fault prints it. While it
 * prints, the claim holds minus the exit status; afterwards it holds the exit status. With NULL all
 * processes print.
 */
void error_claim(atomic_int *claim);

/* From now on messages of the calling thread do not flush standard output first. */
void error_unbuffered(void);

/* Bytes of the longest text of a fault, with its final '\0'. */
#define ERROR_TEXT 960

/*
 * Passes the text and status of every fault to `to` instead of printing it. With NULL faults are
 * printed again. For ranks without a terminal, whose job brings the text to a rank that has one.
 */
NETBENCH_EXPORT void error_route(void (*to)(const char *text, int status));

#endif
