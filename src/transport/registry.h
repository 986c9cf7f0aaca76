/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which backends there are: those built into the program, those that netbench's build has made
 * modules of, and any other module in a file netbench-NAME.so, NAME being 1 to 23 of the characters
 * a-z, 0-9, _ and -. Modules are looked for, the first found being taken, in the directories of
 * $NETBENCH_MODULES (separated by colons), beside the program, where they are installed relative to
 * it, and in the directory where they were to be installed.
 *
 * What is found stays known, and what is loaded stays loaded, to the end of the process.
 */
#ifndef NETBENCH_TRANSPORT_REGISTRY_H
#define NETBENCH_TRANSPORT_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/export.h"

struct backend;

/*
 * The backends, in the order of the build file, then others by name; NULL after the last. None is
 * loaded.
 */
const char *backend_name(size_t i);

/* Where the i-th is: "built in", "module" of this build, or "external". */
const char *backend_kind(size_t i);

/* The module that the i-th, being built in, keeps from being used; NULL: there is none. */
const char *backend_shadows(size_t i);

/*
 * Finds a backend and loads its module if it is one. NULL if the name is unknown, why being "", or
 * if it cannot be loaded or is of another BACKEND_ABI: then why says why, in one line. Nothing is
 * reported.
 */
NETBENCH_EXPORT const struct backend *backend_find(const char *name, char *why, size_t len);

#endif
