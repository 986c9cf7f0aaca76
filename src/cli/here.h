/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a backend runs on this machine, and if not, why. For commands that list what is
 * available.
 */
#ifndef NETBENCH_CLI_HERE_H
#define NETBENCH_CLI_HERE_H

#include "transport/backend.h"

/*
 * A backend, and the reason why it does not run here. If it runs, `why` is "". `be` is NULL if the
 * backend cannot be loaded or is unknown. For an unknown backend, `why` is "".
 */
struct here {
	const struct backend *be;
	char why[512];
};

/* Checks whether a backend runs here with the defaults of its own options. */
struct here check_backend_here(const char *name);

/*
 * Returns advice on how to make a backend run here, such as which package to install. `why` is
 * the reason that check_backend_here found.
 */
const char *backend_remedy(const char *backend, const char *why);

#endif
