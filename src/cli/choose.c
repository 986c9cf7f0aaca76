/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choose.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "options/suggest.h"
#include "transport/registry.h"

/* What of the command line matters here. */
struct asked {
	const char *backend, *job;
	bool meets;		/* --listen or --join */
};

static struct asked look(const struct command *cmd, int argc, char **argv)
{
	struct opt_table tables[COMMAND_TABLES];
	size_t n = command_tables(cmd, NULL, tables);

	return (struct asked){
		.backend = opts_peek(tables, n, argc, argv, "backend"),
		.job = opts_peek(tables, n, argc, argv, "job"),
		.meets = opts_peek(tables, n, argc, argv, "listen") ||
			 opts_peek(tables, n, argc, argv, "join"),
	};
}

static const char *backend_at(size_t i, void *arg)
{
	(void)arg;
	return backend_name(i);
}

static int find_backend(const char *name, const struct backend **be)
{
	char why[512];
	const char *near;

	*be = backend_find(name, why, sizeof(why));
	if (*be)
		return ST_OK;
	if (why[0])
		return error_unavailable("backend '%s' cannot be loaded: %s", name, why);
	near = nearest(name, backend_at, NULL);
	if (near)
		return error_usage("unknown backend '%s', did you mean '%s'?", name, near);
	return error_usage("unknown backend '%s'", name);
}

/* A kind of job by name: built in, or that of the backend of this name. */
static int find_job(const char *name, const char *why, struct choice *c)
{
	const struct backend *be;
	char reason[512];

	c->why = why;
	c->job = job_find(name);
	if (c->job)
		return ST_OK;
	be = backend_find(name, reason, sizeof(reason));
	if (be && be->job && !strcmp(be->job->name, name)) {
		c->job = be->job;
		return ST_OK;
	}
	if (!be && reason[0])
		return error_unavailable("job '%s' (%s) cannot be loaded: %s", name, why, reason);
	return error_usage("unknown job '%s': fork, sim, mpi, join", name);
}

static int choose_job(const struct asked *asked, struct choice *c)
{
	const struct launch *l = &c->launch;

	if (asked->job && asked->meets && strcmp(asked->job, "join"))
		return error_usage("options '--listen' and '--join' are of job 'join', not '%s'", asked->job);
	if (asked->job)
		return find_job(asked->job, "as asked for", c);
	if (asked->meets)
		return find_job("join", "because of --listen or --join", c);
	if (c->be && c->be->job && (!l->by || l->size == 1))
		return find_job(c->be->job->name, "as the backend needs it", c);
	if (l->by && !l->kind)
		return error_unavailable("started by %s, in whose jobs this netbench cannot take part; "
					 "'--job fork' runs on this machine alone", l->by);
	return find_job(l->by ? l->kind : "fork", l->by ? l->by : "by default", c);
}

static int check_together(const struct choice *c)
{
	if ((!c->be->job || c->be->job == c->job) && (c->be->job || c->job != &job_sim))
		return ST_OK;
	return error_usage("backend '%s' does not run under job '%s' (%s)", c->be->name, c->job->name,
			   c->why);
}

int choose(const struct command *cmd, int argc, char **argv, struct choice *c)
{
	struct asked asked = look(cmd, argc, argv);
	int err = ST_OK;

	*c = (struct choice){ .launch = job_launch() };
	if (asked.backend)
		err = find_backend(asked.backend, &c->be);
	if (!err)
		err = choose_job(&asked, c);
	if (!err && !c->be)
		err = find_backend(c->job->backend, &c->be);
	if (!err)
		err = check_together(c);
	if (c->job && (!c->launch.kind || strcmp(c->launch.kind, c->job->name) || asked.meets))
		c->launch = (struct launch){ .rank = -1 };
	return err;
}
