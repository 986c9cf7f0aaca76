/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a backend runs on this machine, and why not. For commands that list what is available. */
#ifndef NETBENCH_CLI_HERE_H
#define NETBENCH_CLI_HERE_H

#include "transport/backend.h"

/*
 * A backend and why it does not run here. `be` is NULL if the backend is unknown (`why` is then "")
 * or cannot be loaded. `why` is "" if it runs.
 */
struct here {
	const struct backend *be;
	char why[512];
};

/* Checks whether a backend runs here with the defaults of its own options. */
struct here check_backend_here(const char *name);

/*
 * Returns what to do about a backend that does not run here, such as which package to install.
 * `why` is the reason that check_backend_here found.
 */
const char *backend_remedy(const char *backend, const char *why);

#endif
