/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

/* registry.h holds BACKEND(name), MODULE(name) and ABSENT(name) lines, made from the build's list. */
#define BACKEND(n) extern const struct backend backend_##n;
#define MODULE(n)
#define ABSENT(n)
#include "registry.h"
#undef BACKEND
#undef MODULE

static const struct entry {
	const char *name;
	const struct backend *builtin;	/* NULL: a module */
} entries[] = {
#define BACKEND(n) { #n, &backend_##n },
#define MODULE(n) { #n, NULL },
#include "registry.h"
#undef BACKEND
#undef MODULE
#undef ABSENT
	{ 0 },
};

/* Backends that this build was told to leave out. */
static const char *const absent[] = {
#define BACKEND(n)
#define MODULE(n)
#define ABSENT(n) #n,
#include "registry.h"
	NULL,
};

static const struct {
	unsigned cap;
	const char *name;
} caps[] = {
	{ CAP_RING, "ring" },	  { CAP_PAIR, "pair" }, { CAP_WINDOW, "window" },
	{ CAP_STAMPS, "stamps" }, { CAP_MSG, "msg" },	{ CAP_ANY, "any" },
	{ CAP_READ, "read" }, { CAP_VIRTUAL, "virtual" },
	{ CAP_CONTENT, "content" }, { CAP_BCAST, "bcast" },
	{ CAP_EMULATED, "emulated" },
};

const char *cap_name(unsigned bits)
{
	for (size_t i = 0; i < sizeof(caps) / sizeof(caps[0]); i++)
		if (bits & caps[i].cap)
			return caps[i].name;
	return NULL;
}

const char *backend_name(size_t i)
{
	return i < sizeof(entries) / sizeof(entries[0]) ? entries[i].name : NULL;
}

bool backend_is_module(size_t i)
{
	return !entries[i].builtin;
}

/* The directory of the running program. */
static void program_dir(char *dir, size_t len)
{
	ssize_t n = readlink("/proc/self/exe", dir, len - 1);
	char *slash;

	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
}

/* The module's file, in the first of the directories that has it; the last if none has. */
static void module_path(const char *name, char *path, size_t len)
{
	char here[4000], beside[4096];
	const char *dirs[] = { getenv("NETBENCH_MODULES"), here, beside, NETBENCH_MODULE_DIR };

	program_dir(here, sizeof(here));
	snprintf(beside, sizeof(beside), "%s/../%s", here, NETBENCH_MODULE_SUBDIR);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		if (!dirs[i])
			continue;
		snprintf(path, len, "%s/netbench-%s.so", dirs[i], name);
		if (!access(path, R_OK))
			return;
	}
}

static const struct backend *module_load(const char *name, char *why, size_t len)
{
	char path[4200], symbol[64];
	const struct backend *be;
	void *module;

	module_path(name, path, sizeof(path));
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!module) {
		snprintf(why, len, "%s", dlerror());
		return NULL;
	}
	snprintf(symbol, sizeof(symbol), "backend_%s", name);
	be = dlsym(module, symbol);
	if (be && be->abi == BACKEND_ABI)
		return be;
	snprintf(why, len, "%s is no module of this version of netbench", path);
	dlclose(module);
	return NULL;
}

const struct backend *backend_find(const char *name, char *why, size_t len)
{
	why[0] = '\0';
	for (size_t i = 0; absent[i]; i++)
		if (!strcmp(absent[i], name))
			snprintf(why, len, "it is not part of this build");
	for (const struct entry *e = entries; e->name; e++)
		if (!strcmp(e->name, name))
			return e->builtin ? e->builtin : module_load(name, why, len);
	return NULL;
}
