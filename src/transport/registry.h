/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and loads backends. A backend is built into the program, or is a module of this build, or
 * is an external module. A module is a file netbench-NAME.so. NAME has 1 to 23 of the characters
 * a-z, 0-9, _ and -.
 *
 * netbench searches the directories in $NETBENCH_MODULES (separated by colons), the program's own
 * directory, the modules' directory relative to it, and the install directory of modules. If
 * several modules have the same name, the first one counts. The directories are searched only once.
 * A loaded module stays loaded until the process ends. A module that other users may write is not
 * loaded (trust.h).
 */
#ifndef NETBENCH_TRANSPORT_REGISTRY_H
#define NETBENCH_TRANSPORT_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/export.h"

/*
 * Returns the name of backend i; NULL after the final backend. Backends of the build file come
 * first, in its order, then external modules in alphabetic order. Loads no module.
 */
const char *backend_name(size_t i);

/* Returns the name of the i-th backend that is not part of this build; NULL after the final one. */
const char *backend_left_out(size_t i);
#define BACKEND_LEFT_OUT "it is not part of this build"

/*
 * Returns the kind of backend i: "built in"; "module", of this build; or "external", another
 * module.
 */
const char *backend_kind(size_t i);

/*
 * If backend i is built in and a module has the same name, the module is not used: returns the
 * module's path. Otherwise returns NULL.
 */
const char *backend_hidden_module(size_t i);

/*
 * Returns path i of a list: each searched directory, followed by the modules found in it. Returns
 * NULL after the final path. Loads no module.
 */
const char *module_path(size_t i);

/* Returns true if this can be the name of a backend (see above). */
bool backend_is_name(const char *name);

/*
 * Finds a backend; loads its module if it is not built in. If the name is unknown, returns NULL and
 * sets `why` to "". If the module cannot be loaded or has another BACKEND_ABI, returns NULL and
 * sets `why` to the reason, one line. Reports no fault.
 */
NETBENCH_EXPORT const struct backend *backend_find(const char *name, char *why, size_t len);

/*
 * Some libraries, such as MPI's, exist with several binary interfaces. Their backend is built once
 * for each interface. These builds are its variants: modules netbench-NAME-VARIANT.so. A process
 * loads one of them.
 */
struct variant {
	const char *backend, *name;
	const char *words;	/* name of the variant's library in messages: "Open MPI" */
	/*
	 * File names of this library, separated by blanks. netbench loads the first library that it
	 * finds, and then the module, which is not linked to this library. "": the module is linked
	 * to its library.
	 */
	const char *libraries;
	const char *symbol;	/* a symbol that each of these libraries exports */
};

/* Returns variant i of a backend; NULL after the final variant. */
const struct variant *backend_variant(const char *name, size_t i);

/* Returns the variant that backend_find has loaded; NULL if none is loaded. */
const struct variant *backend_variant_loaded(const char *name);

/* Returns true if the module of a variant is installed. */
bool variant_is_installed(const struct variant *v);

/*
 * Chooses the variant and the library that backend_find will load. Call it before the backend is
 * loaded. `v` is the variant. If it is NULL, the first variant that can be loaded is chosen. If v
 * cannot be loaded, other variants are tried unless `only` is true. `library` is the file or the
 * name of the library. If it is NULL, one of the variant's libraries is chosen.
 */
void backend_choose_variant(const struct variant *v, bool only, const char *library);

#endif
