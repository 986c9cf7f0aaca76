/* SPDX-License-Identifier: Apache-2.0 */
#include "host/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/record.h"

/* ---- one machine ---- */

/*
 * Adds all values of a tree to object `to`. The key of each is its path in the tree, such as
 * "host.kernel".
 */
static void add_by_path(json_t *to, const char *path, json_t *v)
{
	char longer[256];
	const char *key;
	json_t *member;

	if (!json_is_object(v)) {
		json_object_set(to, path, v);
		return;
	}
	json_object_foreach(v, key, member) {
		snprintf(longer, sizeof(longer), "%s%s%s", path, *path ? "." : "", key);
		add_by_path(to, longer, member);
	}
}

json_t *machines_facts(json_t *more)
{
	static const char *const incidental[] = { "run", "time", "load", "network" };
	json_t *env = host_collect(), *facts = json_object();
	json_t *bytes = json_object_get(json_object_get(env, "memory"), "total_B");
	double total = json_is_integer(bytes) ? json_number_value(bytes) : NAN;

	for (size_t i = 0; i < LENGTH(incidental); i++)
		json_object_del(env, incidental[i]);
	if (more)
		json_object_set_new(env, "backend", more);
	add_by_path(facts, "", env);
	json_decref(env);
	json_object_del(facts, "netbench.command_line");
	json_object_del(facts, "host.name");
	json_object_del(facts, "cpu.allowed_cpus");
	/* differs between equal machines, depending on how much memory the kernel reserves */
	json_object_del(facts, "memory.total_B");
	if (!isnan(total))
		json_object_set_new(facts, "memory.total_GiB",
				    json_integer((json_int_t)rint(total / 0x1p30)));
	return facts;
}

void machines_add_link(json_t *facts, size_t k, const char *name, const json_t *link)
{
	char path[256];
	const char *key;
	json_t *v;

	snprintf(path, sizeof(path), "link.%zu.name", k);
	json_object_set_new(facts, path, json_string(name));
	json_object_foreach(json_object_get(link, "facts"), key, v) {
		snprintf(path, sizeof(path), "link.%zu.%s", k, key);
		json_object_set(facts, path, v);
	}
}

/* ---- all machines ---- */

/* Returns the largest `mine` of all ranks, on every rank. Collective. */
static uint64_t longest_length(struct job *job, size_t mine)
{
	uint64_t len = mine, longest = 0;
	const uint64_t *all = job->kind->gather(job, &len, sizeof(len));

	for (int r = 0; all && r < job->size; r++)
		longest = all[r] > longest ? all[r] : longest;
	job->kind->bcast(job, &longest, sizeof(longest));
	return longest;
}

json_t *machines_gather(struct job *job, json_t *mine)
{
	char *text = mine ? json_dumps(mine, JSON_COMPACT) : NULL, **of = NULL;
	char part[JOB_GATHER_MAX];
	json_t *list;
	size_t len = text ? strlen(text) : 0, longest;

	json_decref(mine);
	longest = longest_length(job, len);
	if (job->rank == 0)
		of = calloc((size_t)job->size, sizeof(*of));
	for (int r = 0; r < job->size && job->rank == 0; r++) {
		if (of)
			of[r] = calloc(1, longest + 1);
		if (!of || !of[r])
			job->kind->abort(job, error_report("no memory for %d ranks", job->size));
	}
	for (size_t done = 0; done < longest; done += JOB_GATHER_MAX) {
		size_t n = longest - done < JOB_GATHER_MAX ? longest - done : JOB_GATHER_MAX;
		const char *all;

		memset(part, 0, sizeof(part));
		if (done < len)
			memcpy(part, text + done, len - done < n ? len - done : n);
		all = job->kind->gather(job, part, n);
		for (int r = 0; of && r < job->size; r++)
			memcpy(of[r] + done, all + (size_t)r * n, n);
	}
	free(text);
	list = of ? json_array() : NULL;
	for (int r = 0; of && r < job->size; r++) {
		json_t *one = json_loads(of[r], 0, NULL);

		json_array_append_new(list, one ? one : json_null());
		free(of[r]);
	}
	free(of);
	return list;
}

/* ---- what they have in common ---- */

json_t *machines_commonest(json_t *const *values, size_t n, size_t *count)
{
	json_t *best = NULL;

	*count = 0;
	for (size_t i = 0; i < n && n - i > *count; i++) {
		size_t equal = 0;

		for (size_t k = i; k < n; k++)
			equal += values[k] == values[i] || json_equal(values[k], values[i]);
		if (equal > *count) {
			*count = equal;
			best = values[i];
		}
	}
	return best;
}

json_t *machines_common(json_t *hosts)
{
	size_t n = json_array_size(hosts), i, count;
	json_t **values = calloc(n + 1, sizeof(json_t *)), *all = json_object();
	json_t *common = json_object(), *host, *v;
	const char *path;

	json_array_foreach(hosts, i, host)
		json_object_update(all, json_object_get(host, "own"));
	json_object_foreach(all, path, v) {
		for (i = 0; values && i < n; i++)
			values[i] = json_object_get(
				json_object_get(json_array_get(hosts, i), "own"), path);
		v = values ? machines_commonest(values, n, &count) : NULL;
		json_object_set_new(common, path, v ? json_incref(v) : json_null());
	}
	json_object_foreach(common, path, v) {
		json_array_foreach(hosts, i, host) {
			json_t *own = json_object_get(host, "own"), *mine;

			mine = json_object_get(own, path);
			if (mine && json_equal(mine, v))
				json_object_del(own, path);
			else if (!mine && !json_is_null(v))
				json_object_set_new(own, path, json_null());
		}
	}
	json_decref(all);
	free(values);
	return common;
}
