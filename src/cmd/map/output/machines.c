/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/output/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "host/links.h"
#include "host/record.h"
#include "result/reader.h"

#define LEAST_BYTES 1048576.0	/* that a link has carried, of which the run may have been */
#define USED 0.1		/* of the busiest link of the host */

/* ---- one machine ---- */

/* Facts by their paths: "host.kernel". */
static void flatten(json_t *to, const char *path, json_t *v)
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
		flatten(to, longer, member);
	}
}

/* Facts of the backend that are of this machine, and not of a connection. */
static json_t *backend_facts(struct endpoint *ep)
{
	static const char *const own[] = { "library", "library_file", "components_open",
					   "mca_parameters", "firmware" };
	struct facts f = { .object = json_object() };
	json_t *facts = json_object();

	if (ep->be->describe)
		ep->be->describe(ep, &f);
	for (size_t i = 0; i < LENGTH(own); i++)
		if (json_object_get(f.object, own[i]))
			json_object_set(facts, own[i], json_object_get(f.object, own[i]));
	json_decref(f.object);
	return facts;
}

/* Without what differs between any two processes. */
static json_t *machine_facts(struct endpoint *ep)
{
	static const char *const incidental[] = { "run", "time", "load", "network" };
	json_t *env = host_collect(), *facts = json_object();
	double bytes = result_number(env, "memory.total_B");

	for (size_t i = 0; i < LENGTH(incidental); i++)
		json_object_del(env, incidental[i]);
	json_object_set_new(env, "backend", backend_facts(ep));
	flatten(facts, "", env);
	json_decref(env);
	json_object_del(facts, "netbench.command_line");
	json_object_del(facts, "host.name");
	json_object_del(facts, "cpu.allowed_cpus");
	json_object_del(facts, "memory.total_B");	/* a kernel keeps some of it */
	if (!isnan(bytes))
		json_object_set_new(facts, "memory.total_GiB",
				    json_integer((json_int_t)rint(bytes / 0x1p30)));
	return facts;
}

/* Those of this rank's endpoint that tell of trouble; of all programs where it has none. */
static json_t *machine_counters(struct endpoint *ep)
{
	struct counter c[COUNTERS_MAX];
	int n = ep->be->counters ? ep->be->counters(ep, c) : 0;
	double retransmitted = n ? -1 : links_retransmitted("");
	json_t *counters = json_object();

	for (int i = 0; i < n; i++)
		if (c[i].amiss)
			json_object_set_new(counters, c[i].name,
					    json_integer((json_int_t)c[i].value));
	if (retransmitted >= 0)
		json_object_set_new(counters, "tcp_retransmissions_of_all",
				    json_integer((json_int_t)retransmitted));
	return counters;
}

static json_t *look(struct session *s)
{
	struct place here;

	place_here(&here);
	return json_pack("{s:o, s:o, s:o}", "facts", machine_facts(s->ep), "links",
			 links_look("", here.numa), "counters", machine_counters(s->ep));
}

/* ---- all machines ---- */

/* Rank 0: a part of each rank's text, which is appended to what came before. */
static void keep_parts(char **text, const char *all, int n, size_t done, size_t part)
{
	for (int r = 0; r < n; r++)
		memcpy(text[r] + done, all + (size_t)r * part, part);
}

static uint64_t longest_of(struct session *s, size_t mine)
{
	uint64_t len = mine, longest = 0;
	const uint64_t *all = session_gather(s, &len, sizeof(len));

	for (int r = 0; all && r < s->job->size; r++)
		longest = all[r] > longest ? all[r] : longest;
	session_bcast(s, &longest, sizeof(longest));
	return longest;
}

/* Rank 0: the ranks' texts as JSON. */
static json_t *read_all(char **text, int n)
{
	json_t *list = json_array();

	for (int r = 0; r < n; r++) {
		json_t *one = json_loads(text[r], 0, NULL);

		json_array_append_new(list, one ? one : json_null());
		free(text[r]);
	}
	free(text);
	return list;
}

json_t *machines_look(struct session *s, bool plays)
{
	json_t *mine;
	char *text, **of = NULL, part[JOB_GATHER_MAX];
	size_t len, longest;

	if (s->ep->caps & CAP_VIRTUAL)
		return NULL;
	mine = plays ? look(s) : NULL;
	text = mine ? json_dumps(mine, JSON_COMPACT) : NULL;
	json_decref(mine);
	len = text ? strlen(text) : 0;
	longest = longest_of(s, len);
	if (session_is_root(s))
		of = calloc((size_t)s->job->size, sizeof(*of));
	for (int r = 0; r < s->job->size && of; r++) {
		of[r] = calloc(1, longest + 1);
		if (!of[r])
			session_abort(s, error_report("no memory for %d ranks", s->job->size));
	}
	for (size_t done = 0; done < longest; done += JOB_GATHER_MAX) {
		size_t n = longest - done < JOB_GATHER_MAX ? longest - done : JOB_GATHER_MAX;
		const char *all;

		memset(part, 0, sizeof(part));
		if (done < len)
			memcpy(part, text + done, len - done < n ? len - done : n);
		all = session_gather(s, part, n);
		if (of)
			keep_parts(of, all, s->job->size, done, n);
	}
	free(text);
	return of ? read_all(of, s->job->size) : NULL;
}

/* ---- what they have in common ---- */

json_t *machines_commonest(json_t *const *values, size_t n, size_t *count)
{
	json_t *best = NULL;

	*count = 0;
	for (size_t i = 0; i < n && n - i > *count; i++) {
		size_t alike = 0;

		for (size_t k = i; k < n; k++)
			alike += values[k] == values[i] || json_equal(values[k], values[i]);
		if (alike > *count) {
			*count = alike;
			best = values[i];
		}
	}
	return best;
}

/* The links that carried the run, as far as that can be known: most of what was carried. */
static json_t *used_links(const json_t *before, const json_t *after)
{
	json_t *was = json_object_get(before, "links"), *links = json_object_get(after, "links");
	json_t *used = json_array(), *bytes = json_object();
	double most = 0, by;
	const char *name;
	json_t *link;

	json_object_foreach(links, name, link) {
		const json_t *old = json_object_get(was, name);

		by = result_number(link, "counters.bytes") - result_number(old, "counters.bytes");
		if (!(by >= LEAST_BYTES))
			continue;
		json_object_set_new(bytes, name, json_real(by));
		most = by > most ? by : most;
	}
	json_object_foreach(bytes, name, link)
		if (json_real_value(link) >= USED * most)
			json_array_append_new(used, json_string(name));
	json_decref(bytes);
	return used;
}

static void put_change(json_t *to, const char *path, json_t *before, json_t *after)
{
	json_object_set_new(to, path, json_pack("[O, O]", before, after));
}

/* Link k's facts, what has changed of these, and its counters, as "link.0.mtu_B". */
static void add_link(json_t *host, json_t *facts, size_t k, const json_t *before,
		     const json_t *after)
{
	json_t *old, *v;
	char path[256];
	const char *key;

	json_object_foreach(json_object_get(before, "facts"), key, old) {
		v = json_object_get(json_object_get(after, "facts"), key);
		snprintf(path, sizeof(path), "link.%zu.%s", k, key);
		json_object_set(facts, path, old);
		if (v && !json_equal(old, v))
			put_change(json_object_get(host, "changed"), path, old, v);
	}
	json_object_foreach(json_object_get(after, "counters"), key, v) {
		old = json_object_get(json_object_get(before, "counters"), key);
		snprintf(path, sizeof(path), "link.%zu.%s", k, key);
		if (old)
			put_change(json_object_get(host, "counters"), path, old, v);
	}
}

/* A host, with all of its facts. */
static json_t *host_of(const char *name, const json_t *before, const json_t *after)
{
	json_t *links = used_links(before, after), *link, *v;
	json_t *host = json_pack("{s:s, s:{}, s:o, s:{}, s:{}}", "host", name, "own", "links",
				 links, "counters", "changed");
	json_t *facts = json_object_get(host, "own");
	const char *key;
	size_t k;

	json_object_update(facts, json_object_get(before, "facts"));
	json_array_foreach(links, k, link) {
		char path[64];

		snprintf(path, sizeof(path), "link.%zu.name", k);
		json_object_set(facts, path, link);
		key = json_string_value(link);
		add_link(host, facts, k,
			 json_object_get(json_object_get(before, "links"), key),
			 json_object_get(json_object_get(after, "links"), key));
	}
	json_object_foreach(json_object_get(after, "counters"), key, v) {
		json_t *old = json_object_get(json_object_get(before, "counters"), key);

		if (old)
			put_change(json_object_get(host, "counters"), key, old, v);
	}
	return host;
}

/* Takes out of each host's facts what most have. */
static json_t *take_common(json_t *hosts)
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

json_t *machines_compare(const json_t *before, const json_t *after, const struct study *s,
			 const int *rank)
{
	json_t *hosts;

	if (!before || !after)
		return NULL;
	hosts = json_array();
	for (uint32_t i = 0; i < s->n; i++)
		json_array_append_new(hosts,
				      host_of(s->name[i], json_array_get(before, (size_t)rank[i]),
					      json_array_get(after, (size_t)rank[i])));
	return json_pack("{s:o, s:o}", "common", take_common(hosts), "hosts", hosts);
}
