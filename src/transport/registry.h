/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backends: those built into the program, those that the build made modules, and any other
 * module in a file netbench-NAME.so, NAME being 1 to 23 of the characters a-z, 0-9, _ and -. The
 * first module found is taken from the directories of $NETBENCH_MODULES (separated by colons),
 * beside the program, where modules are installed relative to it, and their install directory.
 * They are looked for once; a loaded module stays loaded to the end of the process.
 */
#ifndef NETBENCH_TRANSPORT_REGISTRY_H
#define NETBENCH_TRANSPORT_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/export.h"

struct backend;

/* The backends in the build file's order, then others by name; NULL after the last. Loads none. */
const char *backend_name(size_t i);

/* Where the i-th is: "built in", "module" of this build, or "external". */
const char *backend_kind(size_t i);

/* The path of the module that the i-th, built in, hides; NULL: it hides none. */
const char *backend_shadows(size_t i);

/* True if a backend may have this name, as above; any other is no backend, and no file's path. */
bool backend_is_name(const char *name);

/*
 * Finds a backend, and loads its module if it is one. NULL if the name is unknown (why is ""), or
 * if it cannot be loaded or has another BACKEND_ABI (why: the reason, one line). Reports nothing.
 */
NETBENCH_EXPORT const struct backend *backend_find(const char *name, char *why, size_t len);

#endif
