/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backends: those built into the program, those that the build made modules, and any other
 * module in a file netbench-NAME.so. NAME is 1 to 23 of the characters a-z, 0-9, _ and -. The first
 * module found counts. The directories are those of $NETBENCH_MODULES (separated by colons), the
 * program's own, the one of modules relative to it, and the install directory of modules. netbench
 * looks there once; a loaded module stays loaded to the end of the process. It does not load what
 * others may write (trust.h).
 */
#ifndef NETBENCH_TRANSPORT_REGISTRY_H
#define NETBENCH_TRANSPORT_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/export.h"

/* The backends in the build file's order, then others by name; NULL after the last. Loads none. */
const char *backend_name(size_t i);

/* Where the i-th is: "built in", "module" of this build, or "external". */
/* The name of the i-th of those that this build has left out; NULL behind the last. */
const char *backend_left_out(size_t i);
#define BACKEND_LEFT_OUT "it is not part of this build"

const char *backend_kind(size_t i);

/* The path of the module that the i-th, built in, hides; NULL: it hides none. */
const char *backend_shadows(size_t i);

/*
 * The i-th of the directories that were looked through and the modules that were found there, by
 * path; NULL after the last. Loads none.
 */
const char *module_place(size_t i);

/* True if a backend may have this name, as above; no other name is looked for. */
bool backend_is_name(const char *name);

/*
 * Finds a backend, and loads its module if it is one. NULL if the name is unknown (why is ""), or
 * if it cannot be loaded or has another BACKEND_ABI (why: the reason, one line). Reports nothing.
 */
NETBENCH_EXPORT const struct backend *backend_find(const char *name, char *why, size_t len);

/*
 * Some outside libraries come with several binary interfaces, as MPI's does. Their backend is built
 * once for each: its variants, modules netbench-NAME-VARIANT.so. A process loads one of them.
 */
struct variant {
	const char *backend, *name;
	const char *words;	/* its library: "Open MPI" */
	/* names of a library, separated by blanks; the first one found is loaded before the module,
	   which is linked to none; "": the module brings its own */
	const char *libraries;
	const char *symbol;	/* that each of its libraries has */
};

/* The i-th variant of a backend; NULL after the last. */
const struct variant *backend_variant(const char *name, size_t i);

/* The one that backend_find has loaded; NULL if it has loaded none. */
const struct variant *backend_variant_loaded(const char *name);

/* True if its module is installed. */
bool variant_is_here(const struct variant *v);

/*
 * Says which variant backend_find is to load, NULL: the first that can be; whether only that one,
 * or others if it cannot be loaded; and with which library, by file or name, NULL: as the variant
 * says. Before the backend is loaded.
 */
void backend_choose(const struct variant *v, bool only, const char *library);

#endif
