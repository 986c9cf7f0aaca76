/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/registry.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "transport/backend.h"

/* backends.h, made from the build's list, holds BACKEND(name), MODULE(name), ABSENT(name) lines. */
#define BACKEND(n) extern const struct backend backend_##n;
#define MODULE(n)
#define ABSENT(n)
#include "backends.h"
#undef BACKEND
#undef MODULE
#undef ABSENT

enum origin { BUILT_IN, MODULE, ABSENT, EXTERNAL };

static const struct known {
	const char *name;
	enum origin origin;
	const struct backend *be;	/* built in */
} known[] = {
#define BACKEND(n) { #n, BUILT_IN, &backend_##n },
#define MODULE(n) { #n, MODULE, NULL },
#define ABSENT(n) { #n, ABSENT, NULL },
#include "backends.h"
};
#define NKNOWN (sizeof(known) / sizeof(known[0]))

#define NAME_MAX_LEN 23
#define PREFIX "netbench-"
#define SUFFIX ".so"

/* The backends, found when first asked for, then kept: they belong to the process, not to a run. */
static struct entry {
	char name[NAME_MAX_LEN + 1];
	enum origin origin;
	char *path;			/* of the module; NULL: not found */
	const struct backend *be;	/* NULL: not loaded */
} *entries;
static size_t nentries;

/* ---- finding ---- */

static struct entry *entry_find(const char *name)
{
	for (size_t i = 0; i < nentries; i++)
		if (!strcmp(entries[i].name, name))
			return &entries[i];
	return NULL;
}

static struct entry *entry_add(const char *name, enum origin origin, const struct backend *be)
{
	struct entry *more = realloc(entries, (nentries + 1) * sizeof(*more));

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

/* A file's NAME; false if it is not a module's file. */
static bool name_of(const char *file, char name[NAME_MAX_LEN + 1])
{
	size_t len = strlen(file), around = strlen(PREFIX) + strlen(SUFFIX);

	if (len <= around || len > around + NAME_MAX_LEN || strncmp(file, PREFIX, strlen(PREFIX)) ||
	    strcmp(file + len - strlen(SUFFIX), SUFFIX))
		return false;
	snprintf(name, len - around + 1, "%s", file + strlen(PREFIX));
	return backend_is_name(name);
}

/* Records the modules in a directory, each unless a directory before had it. */
static void scan(const char *dir)
{
	DIR *d = opendir(dir);
	char name[NAME_MAX_LEN + 1];
	struct dirent *file;

	while (d && (file = readdir(d))) {
		struct entry *e;

		if (!name_of(file->d_name, name))
			continue;
		e = entry_find(name);
		if (!e)
			e = entry_add(name, EXTERNAL, NULL);
		else if (e->origin == ABSENT)
			e->origin = EXTERNAL;
		if (e && !e->path && asprintf(&e->path, "%s/%s", dir, file->d_name) < 0)
			e->path = NULL;
	}
	if (d)
		closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static void look(void)
{
	char here[4000], beside[4096], *dirs = getenv("NETBENCH_MODULES"), *rest, *dir;
	ssize_t n;

	if (entries)
		return;
	for (size_t i = 0; i < NKNOWN; i++)
		entry_add(known[i].name, known[i].origin, known[i].be);
	dirs = rest = dirs ? strdup(dirs) : NULL;
	while ((dir = strsep(&rest, ":")))
		if (*dir)
			scan(dir);
	free(dirs);
	n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	while (n > 0 && here[n - 1] != '/')
		n--;
	here[n > 0 ? n - 1 : 0] = '\0';	/* the program's directory */
	scan(here);
	snprintf(beside, sizeof(beside), "%s/../%s", here, NETBENCH_MODULE_SUBDIR);
	scan(beside);
	scan(NETBENCH_MODULE_DIR);
	if (nentries > NKNOWN)
		qsort(entries + NKNOWN, nentries - NKNOWN, sizeof(*entries), by_name);
}

/* The i-th backend that this program may run. */
static const struct entry *entry_at(size_t i)
{
	look();
	for (size_t e = 0; e < nentries; e++)
		if (entries[e].origin != ABSENT && !i--)
			return &entries[e];
	return NULL;
}

const char *backend_name(size_t i)
{
	const struct entry *e = entry_at(i);

	return e ? e->name : NULL;
}

const char *backend_kind(size_t i)
{
	static const char *const kinds[] = { "built in", "module", "", "external" };

	return kinds[entry_at(i)->origin];
}

const char *backend_shadows(size_t i)
{
	const struct entry *e = entry_at(i);

	return e->origin == BUILT_IN ? e->path : NULL;
}

/* ---- loading ---- */

/* Writes what is wrong with a module's export to `why`; nothing if all is well. */
static void judge(const struct entry *e, const struct backend *be, char *why, size_t len)
{
	if (!be)
		snprintf(why, len, "'%s' is no backend of netbench: it exports no "
			 "'netbench_backend'", e->path);
	else if (be->abi != BACKEND_ABI)
		snprintf(why, len, "'%s' was built for backend interface %u, this netbench has %u",
			 e->path, be->abi, BACKEND_ABI);
	else if (!be->name || strcmp(be->name, e->name))
		snprintf(why, len, "'%s' holds backend '%s'", e->path, be->name ? be->name : "");
	else if (!be->summary || !be->open || !be->close || !be->alloc || !be->release || !be->run)
		snprintf(why, len,
			 "'%s' lacks its summary, or one of the hooks open, close, alloc, release "
			 "and run", e->path);
}

static const struct backend *load(struct entry *e, char *why, size_t len)
{
	const struct backend *be;
	void *module;

	if (!e->path) {
		snprintf(why, len, "its module, '" PREFIX "%s" SUFFIX "', is not installed",
			 e->name);
		return NULL;
	}
	module = dlopen(e->path, RTLD_NOW | RTLD_LOCAL);
	if (!module) {
		snprintf(why, len, "%s", dlerror());
		return NULL;
	}
	be = dlsym(module, "netbench_backend");
	judge(e, be, why, len);
	if (!why[0])
		return be;
	dlclose(module);
	return NULL;
}

const struct backend *backend_find(const char *name, char *why, size_t len)
{
	struct entry *e;

	why[0] = '\0';
	look();
	e = entry_find(name);
	if (e && e->origin == ABSENT)
		snprintf(why, len, "it is not part of this build");
	else if (e && !e->be)
		e->be = load(e, why, len);
	return e ? e->be : NULL;
}
