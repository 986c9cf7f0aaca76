/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults, and the exit status that each becomes.
 *
 * The function that finds a fault reports it by one of those below and returns what that returns;
 * every caller only passes it on:
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

/* What functions return on failure, and what the process exits with. */
enum status {
	ST_OK = 0,
	ST_FAILED = 1,		/* measured wrong, lost a rank, could not write */
	ST_USAGE = 2,		/* the command line is at fault */
	ST_UNAVAILABLE = 3,	/* right, but not available on this machine */
	ST_NO_VERDICT = 4,	/* was to be judged, and the data do not suffice */
	/* the reader of standard output has left, as 'head' does; as if by SIGPIPE, and unsaid */
	ST_NO_READER = 141,
	/* Never an exit status: a peer is lost, and the run goes on without it (job.h). */
	ST_LOST = 5,
};

/* Prints "netbench: ..." on stderr and yields ST_FAILED. */
NETBENCH_EXPORT int error_report(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same for a fault in the command line; yields ST_USAGE. */
NETBENCH_EXPORT int error_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same for what this machine lacks; yields ST_UNAVAILABLE. */
NETBENCH_EXPORT int error_unavailable(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same for data that do not suffice for a verdict; yields ST_NO_VERDICT. */
int error_no_verdict(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * What is still to go to standard output goes there. Yields `status`; if that is ST_OK and
 * something could not be written ST_NO_READER, or ST_FAILED (reported).
 */
int error_flush(int status);

/* Prints "netbench: warning: ..." on stderr, unless error_quiet(true). */
NETBENCH_EXPORT void error_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints "netbench: ..." on stderr if error_verbose(true): why a choice was made. */
NETBENCH_EXPORT void error_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* -q and -v. */
void error_quiet(bool on);
void error_verbose(bool on);

/*
 * Ranks that share a terminal report one fault once. They share a claim: an atomic that starts at
 * 0, in shared memory. The first process to report prints, and leaves its exit status in the claim;
 * while it prints, minus that status is there. NULL: all print.
 */
void error_claim(atomic_int *claim);

/* What the calling thread says from now on does not wait until standard output is written. */
void error_unbuffered(void);

/* Longest text of a fault, with its end. */
#define ERROR_TEXT 960

/*
 * Hands the text and status of every fault to `to` instead of printing it; NULL: prints again. For
 * ranks without a terminal, whose job brings the text to one.
 */
NETBENCH_EXPORT void error_route(void (*to)(const char *text, int status));

#endif
