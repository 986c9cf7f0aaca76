/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a backend runs on this machine, and why not: for commands that say what there is. */
#ifndef NETBENCH_CLI_HERE_H
#define NETBENCH_CLI_HERE_H

#include "transport/backend.h"

/*
 * A backend, NULL if it is unknown (why is "") or cannot be loaded; and why it does not run here,
 * "" if it does.
 */
struct here {
	const struct backend *be;
	char why[512];
};

/* Looks whether it runs here with its own options as they are by default. */
struct here backend_here(const char *name);

/* What to do about a backend that is not here, by why that is: which package it needs. */
const char *backend_remedy(const char *backend, const char *why);

#endif
