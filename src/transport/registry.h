/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backends: those built into the program, modules that the build has made, and other modules. A
 * module is a file netbench-NAME.so. NAME has 1 to 23 of the characters a-z, 0-9, _ and -.
 *
 * netbench searches the directories in $NETBENCH_MODULES (separated by colons), the program's own
 * directory, the modules' directory relative to it, and the install directory of modules. The first
 * module of a name counts. It searches them once. A loaded module stays loaded until the process
 * ends. A module that others may write is not loaded (trust.h).
 */
#ifndef NETBENCH_TRANSPORT_REGISTRY_H
#define NETBENCH_TRANSPORT_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/export.h"

/*
 * Returns the name of backend i: first those of the build file in its order, then others by name.
 * Returns NULL after the last. Loads no module.
 */
const char *backend_name(size_t i);

/* Returns the name of the i-th backend that this build has left out; NULL after the last. */
const char *backend_left_out(size_t i);
#define BACKEND_LEFT_OUT "it is not part of this build"

/* Returns where backend i is: "built in", "module" of this build, or "external". */
const char *backend_kind(size_t i);

/*
 * If backend i is built in and a module has the same name, returns the path of that module, which
 * is not used. Otherwise returns NULL.
 */
const char *backend_hidden_module(size_t i);

/*
 * Returns path i of the directories that were searched and of the modules that were found there.
 * Returns NULL after the last. Loads no module.
 */
const char *module_path(size_t i);

/* Returns true if a backend may have this name, see above. Other names are not searched for. */
bool backend_is_name(const char *name);

/*
 * Finds a backend, and loads its module if it is in one. Returns NULL with `why` "" if the name is
 * unknown. Returns NULL with the reason in `why`, one line, if it cannot be loaded or has another
 * BACKEND_ABI. Reports nothing.
 */
NETBENCH_EXPORT const struct backend *backend_find(const char *name, char *why, size_t len);

/*
 * Some libraries, such as MPI's, exist with several binary interfaces. Their backend is built once
 * for each interface. These builds are its variants: modules netbench-NAME-VARIANT.so. A process
 * loads one of them.
 */
struct variant {
	const char *backend, *name;
	const char *words;	/* words for its library: "Open MPI" */
	/*
	 * Names of its library, separated by blanks. The first library found is loaded before the
	 * module, which is not linked to it. "": the module is linked to its library.
	 */
	const char *libraries;
	const char *symbol;	/* a symbol that each of these libraries has */
};

/* Returns variant i of a backend; NULL after the last. */
const struct variant *backend_variant(const char *name, size_t i);

/* Returns the variant that backend_find has loaded; NULL if none is loaded. */
const struct variant *backend_variant_loaded(const char *name);

/* Returns true if the module of a variant is installed. */
bool variant_is_installed(const struct variant *v);

/*
 * Chooses what backend_find will load; call it before the backend is loaded. `v` is the variant;
 * NULL: the first that can be loaded. With `only`, no other variant is tried if it cannot be
 * loaded. `library` is the file or the name of its library; NULL: one of the variant's libraries.
 */
void backend_choose_variant(const struct variant *v, bool only, const char *library);

#endif
