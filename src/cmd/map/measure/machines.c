/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/measure/machines.h"

#include <stdio.h>

#include "host/links.h"
#include "host/machines.h"
#include "host/pin.h"
#include "result/document.h"

#define LEAST_BYTES 1048576.0	/* a link that carried fewer bytes was not used by the run */
/* a link that carried less than this share of the bytes of the host's busiest link was not used */
#define USED 0.1

/* ---- collecting facts and counters ---- */

json_t *machines_collect(struct session *s, bool takes_part)
{
	/* facts of a backend that describe the machine, not a connection */
	static const char *const own[] = { "library", "library_file", "components_open",
					   "mca_parameters", "firmware" };
	struct endpoint *ep = s->ep;
	json_t *facts, *counters;
	struct facts f;
	struct counter c[COUNTERS_MAX];
	double retransmitted = -1;
	struct place here;
	int n;

	if (ep->caps & CAP_VIRTUAL)
		return NULL;
	if (!takes_part)
		return machines_gather(s->job, NULL);
	f = (struct facts){ .object = json_object() };
	facts = json_object();
	counters = json_object();
	if (ep->be->describe)
		ep->be->describe(ep, &f);
	for (size_t i = 0; i < LENGTH(own); i++)
		if (json_object_get(f.object, own[i]))
			json_object_set(facts, own[i], json_object_get(f.object, own[i]));
	json_decref(f.object);
	/* the fault counters of this endpoint; without them, the retransmissions of all programs */
	n = ep->be->counters ? ep->be->counters(ep, c) : 0;
	for (int i = 0; i < n; i++)
		if (c[i].amiss)
			json_object_set_new(counters, c[i].name,
					    json_integer((json_int_t)c[i].value));
	if (!json_object_size(counters))
		retransmitted = links_retransmitted("");
	if (retransmitted >= 0)
		json_object_set_new(counters, "tcp_retransmissions_of_all",
				    json_integer((json_int_t)retransmitted));
	place_find(&here);
	return machines_gather(s->job, json_pack("{s:o, s:o, s:o}", "facts",
						 machines_facts(facts), "links",
						 links_describe("", here.numa), "counters",
						 counters));
}

/* ---- comparison of the machines before and after the run ---- */

/*
 * Returns the names of the links that the run probably used: the links with the most bytes (new
 * reference).
 */
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

/*
 * Adds the values of a fact before and after the run. The fact is `path` of link k, or of the host
 * if k < 0.
 */
static void put_change(json_t *to, int k, const char *path, json_t *before, json_t *after)
{
	char name[256];

	snprintf(name, sizeof(name), "link.%d.%s", k, path);
	json_object_set_new(to, k < 0 ? path : name, json_pack("[O, O]", before, after));
}

/* Adds the counters that are known both before and after the run. */
static void put_counters(json_t *host, int k, const json_t *before, const json_t *after)
{
	json_t *old, *v;
	const char *key;

	json_object_foreach(json_object_get(after, "counters"), key, v) {
		old = json_object_get(json_object_get(before, "counters"), key);
		if (old)
			put_change(json_object_get(host, "counters"), k, key, old, v);
	}
}

json_t *machines_compare(const json_t *before, const json_t *after, const struct study *s,
			 const int *rank)
{
	json_t *hosts, *one, *old, *v;
	const char *key;
	size_t k;

	if (!before || !after)
		return NULL;
	hosts = json_array();
	for (uint32_t i = 0; i < s->n; i++) {
		size_t at = rank ? (size_t)rank[i] : i;
		const json_t *was = json_array_get(before, at);
		const json_t *is = json_array_get(after, at);
		json_t *links = used_links(was, is);
		json_t *host = json_pack("{s:s, s:{}, s:o, s:{}, s:{}}", "host", s->name[i],
					 "own", "links", links, "counters", "changed");
		json_t *facts = json_object_get(host, "own");

		json_object_update(facts, json_object_get(was, "facts"));
		json_array_foreach(links, k, one) {
			const char *link = json_string_value(one);
			json_t *from = json_object_get(json_object_get(was, "links"), link);
			json_t *to = json_object_get(json_object_get(is, "links"), link);

			machines_add_link(facts, k, link, from);
			json_object_foreach(json_object_get(from, "facts"), key, old) {
				v = json_object_get(json_object_get(to, "facts"), key);
				if (v && !json_equal(old, v))
					put_change(json_object_get(host, "changed"), (int)k, key,
						   old, v);
			}
			put_counters(host, (int)k, from, to);
		}
		put_counters(host, -1, was, is);
		json_array_append_new(hosts, host);
	}
	return json_pack("{s:o, s:o}", "common", machines_common(hosts), "hosts", hosts);
}
