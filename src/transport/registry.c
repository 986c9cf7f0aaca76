/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends.h"
#include "config.h"
#include "transport/backend.h"
#include "transport/handlers.h"
#include "transport/trust.h"

enum origin { BUILT_IN, MODULE, ABSENT, EXTERNAL };

/*
 * Arguments for macro BACKENDS. The build makes macros BACKENDS and VARIANTS from the lists in
 * src/meson.build.
 */
#define DECLARED(n) extern const struct backend backend_##n;
#define NOT_DECLARED(n)
#define BUILT_IN_ROW(n) { #n, BUILT_IN, &backend_##n },
#define MODULE_ROW(n) { #n, MODULE, NULL },
#define ABSENT_ROW(n) { #n, ABSENT, NULL },

BACKENDS(DECLARED, NOT_DECLARED, NOT_DECLARED)

static const struct known {
	const char *name;
	enum origin origin;
	const struct backend *be;	/* set if the backend is built in */
} known[] = { BACKENDS(BUILT_IN_ROW, MODULE_ROW, ABSENT_ROW) };

static const struct variant variants[] = { VARIANTS { NULL, NULL, NULL, NULL, NULL } };
/* path of the module of each variant; NULL: not found */
static char *variant_paths[LENGTH(variants)];

/* What backend_choose_variant has chosen. */
static struct {
	const struct variant *variant;
	bool only;
	const char *library;
} chosen;

#define NAME_MAX_LEN 23
#define PREFIX "netbench-"
#define SUFFIX ".so"

/* All backends. The list is made when it is first needed, and then kept. */
static struct entry {
	char name[NAME_MAX_LEN + 1];
	enum origin origin;
	char *path;			/* path of the module; NULL: not found */
	const struct backend *be;	/* NULL: not loaded */
	const struct variant *variant;	/* the variant that was loaded; NULL: none */
} *entries;
static size_t nentries;

/* Paths of the searched directories, and of the modules found in them. */
static char **places;
static size_t nplaces;

/* ---- finding ---- */

/* Appends the path of a searched directory or a found module to `places`. */
static void add_place(const char *path)
{
	char **more = list_grow(places, nplaces, sizeof(*more));

	if (!more)
		return;
	places = more;
	places[nplaces] = strdup(path);
	nplaces += places[nplaces] != NULL;
}

/* Returns the entry of a backend; NULL if there is none. */
static struct entry *find_entry(const char *name)
{
	for (size_t i = 0; i < nentries; i++)
		if (!strcmp(entries[i].name, name))
			return &entries[i];
	return NULL;
}

/* Adds a backend to the list. Returns its entry; NULL if memory is short. */
static struct entry *add_entry(const char *name, enum origin origin, const struct backend *be)
{
	struct entry *more = list_grow(entries, nentries, sizeof(*more));

	if (!more)
		return NULL;
	entries = more;
	entries[nentries] = (struct entry){ .origin = origin, .be = be };
	snprintf(entries[nentries].name, sizeof(entries[nentries].name), "%s", name);
	return &entries[nentries++];
}

bool backend_is_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	return len > 0 && len <= NAME_MAX_LEN && !name[len];
}

/*
 * Records a module found in a directory. Ignores it if an earlier directory has a module of this
 * name.
 */
static void record_module(const char *dir, const char *file, const char *name)
{
	const struct variant *v = variants;
	struct entry *e;
	char **path;

	/* a variant's module has the name BACKEND-VARIANT, "mpi-mpich" for example */
	for (; v->name; v++) {
		size_t n = strlen(v->backend);

		if (!strncmp(name, v->backend, n) && name[n] == '-' &&
		    !strcmp(name + n + 1, v->name))
			break;
	}
	e = find_entry(v->name ? v->backend : name);
	if (!e)
		e = add_entry(name, EXTERNAL, NULL);
	else if (e->origin == ABSENT)
		e->origin = EXTERNAL;
	path = v->name ? &variant_paths[v - variants] : e ? &e->path : NULL;
	if (!path || *path)
		return;
	if (asprintf(path, "%s/%s", dir, file) < 0)
		*path = NULL;
	else
		add_place(*path);
}

/* Records the modules in a directory: files named "netbench-NAME.so". */
static void scan_directory(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *file;

	if (!d)
		return;
	add_place(dir);
	while ((file = readdir(d))) {
		char name[NAME_MAX_LEN + 1];
		int end = 0;

		sscanf(file->d_name, PREFIX "%23[a-z0-9_-]" SUFFIX "%n", name, &end);
		if (end && !file->d_name[end])
			record_module(dir, file->d_name, name);
	}
	closedir(d);
}

/* Orders entries by name, for qsort. */
static int compare_entries(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/*
 * Lists all backends: the built-in ones, and the modules in the directories. Later calls do
 * nothing.
 */
static void list_all_backends(void)
{
	char here[4000], beside[4096], *dirs = secure_getenv("NETBENCH_MODULES"), *rest, *dir;
	ssize_t n;

	if (entries)
		return;
	for (size_t i = 0; i < LENGTH(known); i++)
		add_entry(known[i].name, known[i].origin, known[i].be);
	dirs = rest = dirs ? strdup(dirs) : NULL;
	while ((dir = strsep(&rest, ":")))
		if (*dir)
			scan_directory(dir);
	free(dirs);
	n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	while (n > 0 && here[n - 1] != '/')
		n--;
	here[n > 0 ? n - 1 : 0] = '\0';	/* only the program's directory remains */
	scan_directory(here);
	snprintf(beside, sizeof(beside), "%s/../%s", here, NETBENCH_MODULE_SUBDIR);
	scan_directory(beside);
	scan_directory(NETBENCH_MODULE_DIR);
	if (nentries > LENGTH(known))
		qsort(entries + LENGTH(known), nentries - LENGTH(known), sizeof(*entries),
		      compare_entries);
}

/*
 * Returns the i-th backend that this program may run; NULL after the final one. If `absent` is
 * true, returns the i-th backend that is not part of this build.
 */
static const struct entry *entry_at(size_t i, bool absent)
{
	list_all_backends();
	for (size_t e = 0; e < nentries; e++)
		if ((entries[e].origin == ABSENT) == absent && !i--)
			return &entries[e];
	return NULL;
}

const char *backend_name(size_t i)
{
	const struct entry *e = entry_at(i, false);

	return e ? e->name : NULL;
}

const char *backend_left_out(size_t i)
{
	const struct entry *e = entry_at(i, true);

	return e ? e->name : NULL;
}

const char *backend_kind(size_t i)
{
	static const char *const kinds[] = { "built in", "module", "", "external" };

	return kinds[entry_at(i, false)->origin];
}

const char *backend_hidden_module(size_t i)
{
	const struct entry *e = entry_at(i, false);

	return e->origin == BUILT_IN ? e->path : NULL;
}

const char *module_path(size_t i)
{
	list_all_backends();
	return i < nplaces ? places[i] : NULL;
}

/* ---- loading ---- */

/*
 * Loads a module and returns its backend. Returns NULL, with the reason in `why`, if the module
 * cannot be loaded or is not a backend.
 */
static const struct backend *load_module(const char *name, const char *path, char *why, size_t len)
{
	const struct backend *be;
	void *module;

	if (!trust_module(path, why, len))
		return NULL;
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!module) {
		snprintf(why, len, "%s", dlerror());
		return NULL;
	}
	be = dlsym(module, "netbench_backend");
	if (!be)
		snprintf(why, len, "'%s' is no backend of netbench: it exports no "
			 "'netbench_backend'", path);
	else if (be->abi != BACKEND_ABI)
		snprintf(why, len, "'%s' was built for backend interface %u, this netbench has %u",
			 path, be->abi, BACKEND_ABI);
	else if (!be->name || strcmp(be->name, name))
		snprintf(why, len, "'%s' contains backend '%s'", path, be->name ? be->name : "");
	else if (!be->summary || !be->open || !be->close || !be->alloc || !be->release || !be->run)
		snprintf(why, len,
			 "'%s' lacks its summary, or one of the hooks open, close, alloc, release "
			 "and run", path);
	if (!why[0])
		return be;
	dlclose(module);
	return NULL;
}

/* ---- variants ---- */

const struct variant *backend_variant(const char *name, size_t i)
{
	for (const struct variant *v = variants; v->name; v++)
		if (!strcmp(v->backend, name) && !i--)
			return v;
	return NULL;
}

const struct variant *backend_variant_loaded(const char *name)
{
	const struct entry *e = find_entry(name);

	return e ? e->variant : NULL;
}

bool variant_is_installed(const struct variant *v)
{
	list_all_backends();
	return variant_paths[v - variants];
}

void backend_choose_variant(const struct variant *v, bool only, const char *library)
{
	chosen.variant = v;
	chosen.only = only;
	chosen.library = library;
}

/*
 * Loads the first of a variant's libraries that is installed. Returns NULL, with the reason in
 * `why`, if none can be loaded. If an installed library depends on a missing library, does not try
 * the variant's next library. dlopen's error message then does not contain the name of the
 * installed library.
 */
static void *load_first_library(const struct variant *v, char *why, size_t len)
{
	char names[128], error[512] = "", *rest = names, *name;

	snprintf(names, sizeof(names), "%s", v->libraries);
	while ((name = strsep(&rest, " "))) {
		void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);

		if (library)
			return library;
		snprintf(error, sizeof(error), "%s", dlerror());
		if (strstr(error, name))
			continue;
		snprintf(why, len, "'%s' of %s cannot be loaded: %s", name, v->words, error);
		return NULL;
	}
	snprintf(why, len, "no library of %s: %s", v->words, error);
	return NULL;
}

/*
 * Loads the library that a variant's module needs: the chosen library, or one of the variant's
 * libraries. On failure returns NULL, with the reason in `why`.
 */
static void *load_library(const struct variant *v, char *why, size_t len)
{
	struct stat st;
	void *library;

	if (!chosen.library)
		return load_first_library(v, why, len);
	if (!stat(chosen.library, &st) && !S_ISREG(st.st_mode) && strchr(chosen.library, '/')) {
		snprintf(why, len, "'%s' is not a regular file", chosen.library);
		return NULL;
	}
	library = dlopen(chosen.library, RTLD_NOW | RTLD_GLOBAL);
	if (!library) {
		snprintf(why, len, "%s", dlerror());
	} else if (!dlsym(library, v->symbol)) {
		snprintf(why, len, "'%s' is no library of %s: it has no %s", chosen.library,
			 v->words, v->symbol);
		dlclose(library);
		return NULL;
	}
	return library;
}

/* Loads a variant's library and module. On failure returns NULL, with the reason in `why`. */
static const struct backend *load_variant(const struct variant *v, char *why, size_t len)
{
	const char *path = variant_paths[v - variants];
	/* the module is linked to its library */
	bool linked = !chosen.library && !v->libraries[0];
	const struct backend *be;
	void *library = NULL;

	why[0] = '\0';
	if (!path)
		snprintf(why, len, "its module for %s, '" PREFIX "%s-%s" SUFFIX "', is not "
			 "installed", v->words, v->backend, v->name);
	else if (trust_module(path, why, len) && !linked)
		library = load_library(v, why, len);
	if (why[0])
		return NULL;
	be = load_module(v->backend, path, why, len);
	if (be)
		find_entry(v->backend)->variant = v;
	else if (library)
		dlclose(library);
	return be;
}

/* ---- any ---- */

/* Loads a backend: its chosen variant, or another of its variants, or its only module. */
static const struct backend *load_backend(const struct entry *e, char *why, size_t len)
{
	struct text names = { .n = 0 };
	const struct backend *be = NULL;
	const struct variant *v;

	if (chosen.variant && !strcmp(chosen.variant->backend, e->name))
		be = load_variant(chosen.variant, why, len);
	if (be || (chosen.only && why[0]))
		return be;
	for (v = variants; v->name && !be; v++)
		if (!strcmp(v->backend, e->name) && variant_paths[v - variants])
			be = load_variant(v, why, len);
	if (be || why[0])
		return be;
	if (e->path)
		return load_module(e->name, e->path, why, len);
	/*
	 * `names` becomes "'netbench-tcp.so'", or "'netbench-mpi-openmpi.so' or
	 * 'netbench-mpi-mpich.so'"
	 */
	for (size_t i = 0; (v = backend_variant(e->name, i)); i++)
		text_add(&names, "%s'" PREFIX "%s-%s" SUFFIX "'", i ? " or " : "", e->name,
			 v->name);
	if (!names.n)
		text_add(&names, "'" PREFIX "%s" SUFFIX "'", e->name);
	snprintf(why, len, "its module, %s, is not installed", names.s);
	return NULL;
}

const struct backend *backend_find(const char *name, char *why, size_t len)
{
	struct handlers own;
	struct entry *e;

	why[0] = '\0';
	list_all_backends();
	e = find_entry(name);
	if (e && e->origin == ABSENT) {
		snprintf(why, len, "%s", BACKEND_LEFT_OUT);
	/* some libraries change the actions for signals that end a process */
	} else if (e && !e->be) {
		handlers_save(&own);
		e->be = load_backend(e, why, len);
		handlers_restore(&own);
	}
	return e ? e->be : NULL;
}
