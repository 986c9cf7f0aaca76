/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a module may be loaded. A user who can write the module's file or directory
 * decides what this program executes. netbench trusts root, the user who runs it, and the owner of
 * the program.
 */
#ifndef NETBENCH_TRANSPORT_TRUST_H
#define NETBENCH_TRANSPORT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a file or directory is trusted. The texts are static; they are "" if the file or
 * directory is trusted.
 */
struct trust {
	enum { TRUSTED, DOUBTFUL, REFUSED } level;
	const char *why;	/* "everyone may write it" */
	const char *remedy;	/* "forbid that (chmod o-w)" */
};

/* Checks a module's file, or a directory of modules. Opens nothing. */
const struct trust *trust_of_path(const char *path);

/*
 * Returns true if a module's file may be loaded. The trust in the file and in its directory must
 * not be REFUSED. If the file is a link, the trust in its target and in the target's directory must
 * not be REFUSED either. Otherwise writes one line with the path, the reason and a remedy to `why`.
 */
bool trust_module(const char *path, char *why, size_t len);

#endif
