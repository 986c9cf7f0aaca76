/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/machines.h"

#include <stdio.h>

#include "host/links.h"
#include "host/machines.h"
#include "host/pin.h"
#include "result/reader.h"

#define LEAST_BYTES 1048576.0	/* that a link has carried, of which the run may have been */
#define USED 0.1		/* of the busiest link of the host */

/* ---- one machine ---- */

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

/* Those of this rank's endpoint that tell of trouble; of all programs where it has none. */
static json_t *machine_counters(struct endpoint *ep)
{
	struct counter c[COUNTERS_MAX];
	int n = ep->be->counters ? ep->be->counters(ep, c) : 0;
	double retransmitted;
	json_t *counters = json_object();

	for (int i = 0; i < n; i++)
		if (c[i].amiss)
			json_object_set_new(counters, c[i].name,
					    json_integer((json_int_t)c[i].value));
	retransmitted = json_object_size(counters) ? -1 : links_retransmitted("");
	if (retransmitted >= 0)
		json_object_set_new(counters, "tcp_retransmissions_of_all",
				    json_integer((json_int_t)retransmitted));
	return counters;
}

/* ---- all machines ---- */

json_t *machines_look(struct session *s, bool plays)
{
	struct place here;

	if (s->ep->caps & CAP_VIRTUAL)
		return NULL;
	if (!plays)
		return machines_gather(s->job, NULL);
	place_here(&here);
	return machines_gather(s->job, json_pack("{s:o, s:o, s:o}", "facts",
						 machines_facts(backend_facts(s->ep)), "links",
						 links_look("", here.numa), "counters",
						 machine_counters(s->ep)));
}

/* ---- what they have in common ---- */

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
static void add_link(json_t *host, json_t *facts, size_t k, const char *name, const json_t *before,
		     const json_t *after)
{
	json_t *old, *v;
	char path[256];
	const char *key;

	machines_add_link(facts, k, name, before);
	json_object_foreach(json_object_get(before, "facts"), key, old) {
		v = json_object_get(json_object_get(after, "facts"), key);
		snprintf(path, sizeof(path), "link.%zu.%s", k, key);
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
		key = json_string_value(link);
		add_link(host, facts, k, key,
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
	return json_pack("{s:o, s:o}", "common", machines_common(hosts), "hosts", hosts);
}
