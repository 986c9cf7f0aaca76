/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports faults, and defines the exit status of each kind of fault.
 *
 * The function that finds a fault reports it with one of the functions below and returns their
 * result. Each caller returns this result unchanged:
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
	 * The program that reads standard output has closed it, as 'head' does. The process ends
	 * without a message, with the status that SIGPIPE would give.
	 */
	ST_NO_READER = 141,
	/*
	 * Only a return value, never an exit status: a peer is lost, and the run continues without
	 * that peer (job.h).
	 */
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
 * ST_NO_READER if the reader has closed the output, else ST_FAILED (reported).
 */
int error_flush(int status);

/* Prints "netbench: warning: ..." on stderr, unless error_quiet(true) was called. */
NETBENCH_EXPORT void error_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Prints "netbench: ..." on stderr if error_verbose(true) was called. Such notes give the reasons
 * of netbench's choices.
 */
NETBENCH_EXPORT void error_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * error_quiet(true) switches warnings off (option -q). error_verbose(true) switches notes on (-v).
 */
void error_quiet(bool on);
void error_verbose(bool on);

/*
 * Makes ranks that share a terminal print only one fault: the first that any of them reports.
 * `claim` is an atomic in shared memory; it starts at 0. The first process that reports a fault
 * sets the claim to minus the exit status and prints the fault. Then it sets the claim to the exit
 * status. If `claim` is NULL, each process prints its faults.
 */
void error_claim(atomic_int *claim);

/*
 * From now on, messages of the calling thread do not flush standard output before they are printed.
 */
void error_unbuffered(void);

/* Size in bytes of the longest text of a fault, including its final '\0'. */
#define ERROR_TEXT 960

/*
 * Passes the text and status of every fault to `to` instead of printing it. If `to` is NULL, faults
 * are printed again. A rank without a terminal uses this: its job sends the text to a rank that has
 * a terminal.
 */
NETBENCH_EXPORT void error_route(void (*to)(const char *text, int status));

#endif
