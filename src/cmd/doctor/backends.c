/* SPDX-License-Identifier: Apache-2.0 */
/* Finds modules, backends and launchers. If one is missing, names the package to install. */
#include "cmd/doctor/backends.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/doctor.h"
#include "base/text.h"
#include "base/values.h"
#include "cli/here.h"
#include "result/document.h"
#include "transport/registry.h"
#include "transport/trust.h"

/* ---- modules ---- */

void find_modules(json_t *list, const struct scene *s)
{
	size_t n = 0, bad = 0;

	for (; s->module && s->module(n); n++) {
		const struct trust *t = trust_of_path(s->module(n));

		bad += t->level != TRUSTED;
		if (t->level == REFUSED)
			finding_put(list, "module", SEVERITY_WRONG, s->module(n), t->remedy,
				    "%s: netbench loads no module from there", t->why);
		else if (t->level == DOUBTFUL)
			finding_put(list, "module", SEVERITY_NOTE, s->module(n), t->remedy,
				    "%s", t->why);
	}
	if (n && !bad)
		finding_put(list, "module", SEVERITY_OK, "", "",
			    "no other user may write modules and their directories");
}

/* ---- backends ---- */

/* Adds the finding that a backend runs here, perhaps only with options. */
static void find_running(json_t *list, const char *name, const struct backend *be)
{
	struct facts f = { .object = json_object() };
	struct text finds = { .n = 0 };
	const char *usual, *key;
	json_t *v;

	if (be->list)
		be->list(0, NULL, &f);
	json_object_foreach(f.object, key, v)
		if (strcmp(key, "default") != 0)
			text_add(&finds, "%s%s", finds.n ? ", " : "; finds ", key);
	usual = result_text(f.object, "default");
	if (!strncmp(usual, "none", 4))
		finding_put(list, "backend", SEVERITY_NOTE, name,
			    "'netbench list --backend NAME' shows devices that options can name",
			    "runs only with options: its default is %s%s", usual, finds.s);
	else
		finding_put(list, "backend", SEVERITY_OK, name, "", "%s%s", be->summary, finds.s);
	json_decref(f.object);
}

static void find_backend(json_t *list, const struct scene *s, const char *name)
{
	struct here h = check_backend_here(name);
	const struct launch by = job_launch(NULL);
	bool asked = (s->backend && !strcmp(s->backend, name)) ||
		     (by.kind && !strcmp(by.kind, name));

	/* the kernel has RDMA devices that libibverbs does not see */
	if (!strcmp(name, "verbs") && h.be && h.why[0] &&
	    json_array_size(result_at(s->env, "network.infiniband"))) {
		finding_put(list, "backend", SEVERITY_WRONG, name,
			    "install package ibverbs-providers (RPM libibverbs); make "
			    "/dev/infiniband readable, also in a container",
			    "the kernel has RDMA devices, but libibverbs finds none: %s", h.why);
	} else if (!h.be || h.why[0]) {
		finding_put(list, "backend", asked ? SEVERITY_WRONG : SEVERITY_NOTE, name,
			    backend_remedy(name, h.why), "does not run here: %s",
			    h.why[0] ? h.why : "no backend has this name");
	} else {
		find_running(list, name, h.be);
	}
}

/* ---- launchers ---- */

/* Finds a program by its name in $PATH. Returns false if there is none. */
static bool find_program(const char *name, char path[PATH_MAX])
{
	const char *dirs = getenv("PATH"), *end;

	for (; dirs && *dirs; dirs = end + (*end == ':')) {
		end = dirs + strcspn(dirs, ":");
		snprintf(path, PATH_MAX, "%.*s/%s", (int)(end - dirs), dirs, name);
		if (!access(path, X_OK))
			return true;
	}
	return false;
}

static void find_launchers(json_t *list, const struct scene *s)
{
	static const char *const names[] = { "mpirun", "srun" };
	const struct launch by = job_launch(NULL);
	char path[PATH_MAX], real[PATH_MAX];
	bool any = false;

	if (by.by && !s->launched)
		finding_put(list, "launcher", SEVERITY_WRONG, "",
			    "use a launcher that netbench-jobs(7) names, or --listen and --join",
			    "%s has started this process, but this netbench cannot take part in "
			    "its jobs: it examined only this host", by.by);
	for (size_t i = 0; i < LENGTH(names); i++) {
		const char *base = names[i];	/* name of the file after all symbolic links */

		if (!find_program(names[i], path))
			continue;
		any = true;
		if (realpath(path, real))
			base = strrchr(real, '/') + 1;
		if (strcmp(base, names[i]) != 0)
			finding_put(list, "launcher", SEVERITY_OK, names[i], "", "%s, which is %s",
				    path, base);
		else
			finding_put(list, "launcher", SEVERITY_OK, names[i], "", "%s", path);
	}
	if (!any && !by.by)
		finding_put(list, "launcher", SEVERITY_NOTE, "",
			    "install package openmpi-bin (RPM openmpi) or slurm-client (RPM "
			    "slurm); without them use --listen and --join by hand",
			    "neither mpirun nor srun is in $PATH: no launcher can start ranks on "
			    "other hosts");
}

void find_backends(json_t *list, const struct scene *s)
{
	const char *name;

	if (s->backend)
		find_backend(list, s, s->backend);
	for (size_t i = 0; !s->backend && (name = backend_name(i)); i++)
		find_backend(list, s, name);
	for (size_t i = 0; !s->backend && (name = backend_left_out(i)); i++)
		find_backend(list, s, name);
	find_launchers(list, s);
}

/* ---- the backends that would be used by default ---- */

static void add_choice(json_t *choices, const char *where, const char *backend, const char *why)
{
	json_array_append_new(choices, json_pack("{s:s, s:s, s:s}", "where", where, "backend",
						 backend, "why", why));
}

static bool runs_here(const char *name)
{
	struct here h = check_backend_here(name);

	return h.be && !h.why[0];
}

json_t *default_backends(const struct scene *s, const struct job *job, const char *why_job)
{
	json_t *choices = json_array(), *link;
	const char *name, *port = NULL;	/* the first RDMA device that is up */
	char path[PATH_MAX], why[PATH_MAX + 16];

	json_object_foreach((json_t *)(uintptr_t)s->links, name, link)
		if (!port && result_at(link, "facts.link_layer") &&
		    strstr(result_text(link, "facts.state"), "ACTIVE"))
			port = name;

	if (s->backend) {
		add_choice(choices, s->launched ? "this job" : "as asked for", s->backend,
			   runs_here(s->backend) ? "by '-b'" : "by '-b', and it does not run here");
		return choices;
	}
	if (s->launched) {
		snprintf(why, sizeof(why), "job '%s', %s%s", job->kind->name,
			 strstr(why_job, "because") ? "" : "by ", why_job);
		add_choice(choices, "this job", job->kind->backend, why);
	} else {
		add_choice(choices, "ranks of this host", "shm", "the default");
		add_choice(choices, "several hosts", "tcp", "with --listen and --join, or srun");
	}
	if (!s->launched && runs_here("mpi") && find_program("mpirun", path)) {
		snprintf(why, sizeof(why), "with %s", path);
		add_choice(choices, "several hosts", "mpi", why);
	}
	if (port && runs_here("verbs")) {
		snprintf(why, sizeof(why), "by '-b verbs': %s is up, but never chosen "
			 "automatically",
			 port);
		add_choice(choices, "RDMA", "verbs", why);
	}
	return choices;
}
