/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of several hosts: those that all have once, and what the hosts differ in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/doctor/doctor.h"
#include "host/machines.h"
#include "host/wording.h"
#include "result/reader.h"

#define LISTED 6		/* of a host's differences */

/* ---- findings ---- */

/* The finding of a list that says the same; NULL: none. */
static json_t *same_in(const json_t *list, const json_t *finding)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		json_t *copy = json_copy(one);
		bool same;

		json_object_del(copy, "hosts");
		same = json_equal(copy, finding);
		json_decref(copy);
		if (same)
			return one;
	}
	return NULL;
}

/* Adds the findings of a host, or the host to those that are there. */
static void add_host(json_t *all, const json_t *look)
{
	const char *host = result_text(look, "host");
	json_t *finding, *known;
	size_t i;

	json_array_foreach(json_object_get(look, "findings"), i, finding) {
		known = same_in(all, finding);
		if (!known) {
			known = json_copy(finding);
			json_object_set_new(known, "hosts", json_array());
			json_array_append_new(all, known);
		}
		json_array_append_new(json_object_get(known, "hosts"), json_string(host));
	}
}

/* What all hosts have needs none named. */
static void drop_all(json_t *all, size_t nhosts)
{
	json_t *finding;
	size_t i;

	json_array_foreach(all, i, finding)
		if (json_array_size(json_object_get(finding, "hosts")) == nhosts)
			json_object_del(finding, "hosts");
}

/* ---- differences ---- */

/* What has to be alike for a measurement between hosts to mean anything. */
static const struct {
	const char *part, *id, *remedy;
} alike[] = {
	{ "mtu_B", "mtu",
	  "give all interfaces of one network the same MTU ('ip link set DEVICE mtu N')" },
	{ "speed_Mbps", "speed", "look at its cable, its port of the switch, and the driver" },
	{ "rate", "speed", "look at its cable, its port of the switch, and the firmware" },
	{ "netbench.version", "netbench", "install the same netbench on all hosts" },
	{ "netbench.commit", "netbench", "install the same netbench on all hosts" },
};

static void add_difference(json_t *all, const char *id, enum severity severity, const char *host,
			   const char *remedy, const char *text)
{
	json_t *one;

	finding_put(all, id, severity, host, remedy, "%s", text);
	one = json_array_get(all, json_array_size(all) - 1);
	json_object_set_new(one, "hosts", json_pack("[s]", host));
}

/* "MTU 1500, others 9000". For free(). */
static char *difference_of(const json_t *look, const char *path, json_t *mine, json_t *theirs)
{
	json_t *const values[] = { json_is_null(mine) ? NULL : mine,
				   json_is_null(theirs) ? NULL : theirs };
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	wording_difference(to, look, path, values, " ", ", others ");
	return text_close(to, &text);
}

/* The row of `alike` that a fact is of; -1: none. */
static int judge_fact(const char *path, json_t *mine, json_t *theirs)
{
	int link;
	const char *part = wording_part(path, &link);

	for (int i = 0; i < (int)(sizeof(alike) / sizeof(alike[0])); i++)
		if (!strcmp(alike[i].part, part) && !json_is_null(mine) && !json_is_null(theirs))
			return i;
	return -1;
}

/* What one host has otherwise: what spoils a measurement by itself, the rest in one line. */
static void add_own(json_t *all, const json_t *look, const json_t *common)
{
	json_t *own = json_object_get(look, "own"), *mine;
	const char *host = result_text(look, "host"), *path;
	struct text rest = { .n = 0 };
	size_t n = 0;

	json_object_foreach(own, path, mine) {
		json_t *theirs = json_object_get(common, path);
		int row = judge_fact(path, mine, theirs), link;
		char *text;

		wording_part(path, &link);
		if (link >= 0 && (json_is_null(mine) || json_is_null(theirs)))
			continue;
		text = difference_of(look, path, mine, theirs);
		if (text && row >= 0)
			add_difference(all, alike[row].id, SEVERITY_WRONG, host,
				       alike[row].remedy, text);
		else if (text && n++ < LISTED)
			text_add(&rest, "%s%s", n > 1 ? "; " : "", text);
		free(text);
	}
	if (n > LISTED)
		text_add(&rest, "; and %zu more", n - LISTED);
	if (n)
		add_difference(all, "differs", SEVERITY_NOTE, host,
			       "make the hosts alike, or measure those that are", rest.s);
}

json_t *find_hosts(json_t *looks, json_t **common)
{
	json_t *all = json_array(), *look;
	size_t i;

	json_array_foreach(looks, i, look) {
		add_host(all, look);
		json_object_set(look, "own", json_object_get(look, "facts"));
		json_object_del(look, "facts");
		json_object_del(look, "findings");
	}
	drop_all(all, json_array_size(looks));
	*common = machines_common(looks);
	for (i = 0; i < json_array_size(looks) && json_array_size(looks) > 1; i++)
		add_own(all, json_array_get(looks, i), *common);
	return all;
}
