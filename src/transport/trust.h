/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a module may be loaded: whoever can write its file or its directory decides what
 * this program executes. Trusted are root, this user, and the owner of the program.
 */
#ifndef NETBENCH_TRANSPORT_TRUST_H
#define NETBENCH_TRANSPORT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

/* The result for a file or a directory. The texts are static; they are "" if it is trusted. */
struct trust {
	enum { TRUSTED, DOUBTFUL, REFUSED } level;
	const char *why;	/* "everyone may write it" */
	const char *remedy;	/* "forbid that (chmod o-w)" */
};

/* Checks a module's file, or a directory of modules. Opens nothing. */
const struct trust *trust_of_path(const char *path);

/*
 * Returns true if a module's file may be loaded: the file, its directory, and the target of a link
 * with its directory must all pass. Otherwise writes one line with the path, the reason and a
 * remedy to `why`.
 */
bool trust_module(const char *path, char *why, size_t len);

#endif
