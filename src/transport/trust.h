/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a module may be loaded: whoever can write its file or its directory decides what this
 * program executes. Trusted are root, this user, and who owns the program.
 */
#ifndef NETBENCH_TRANSPORT_TRUST_H
#define NETBENCH_TRANSPORT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

/* A judgement of a file or a directory. The texts are static, "" if it is trusted. */
struct trust {
	enum { TRUSTED, DOUBTFUL, REFUSED } level;
	const char *why;	/* "everyone may write it" */
	const char *remedy;	/* "take that away (chmod o-w)" */
};

/* Of a module's file or a directory of modules. Opens nothing. */
const struct trust *trust_in(const char *path);

/*
 * True if a module's file may be loaded: it is not refused, nor its directory, nor the targets of
 * links there. Else writes why to `why`, one line with the path and what to do.
 */
bool trust_module(const char *path, char *why, size_t len);

#endif
