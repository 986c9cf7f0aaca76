/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges the findings of several hosts, so that equal findings are listed once. Adds the
 * differences between the hosts.
 */
#include "cmd/doctor/hosts.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/doctor.h"
#include "base/text.h"
#include "base/values.h"
#include "host/machines.h"
#include "host/wording.h"
#include "result/document.h"

#define LISTED 6		/* limit of listed differences per host */

/*
 * Merged findings, as a list and as an object. The object's keys are texts that equal findings
 * share.
 */
struct merged_findings {
	json_t *list, *index;
};

/* ---- findings ---- */

/*
 * Adds a host to the finding with this key, or adds the finding if it is new. Numbers in the text
 * may differ between hosts. The text of the first host is kept.
 */
static void merge_finding(struct merged_findings *m, const char *key, const json_t *finding,
			  const char *host)
{
	json_t *known = json_object_get(m->index, key), *text;

	if (!known) {
		known = json_copy((json_t *)(uintptr_t)finding);
		json_object_set_new(known, "hosts", json_array());
		json_array_append(m->list, known);
		json_object_set_new(m->index, key, known);
	}
	text = json_object_get(known, "text");
	if (!json_equal(text, json_object_get(finding, "text")))
		json_object_set_new(known, "varies", json_true());
	json_array_append_new(json_object_get(known, "hosts"), json_string(host));
}

/* ---- differences ---- */

/*
 * Facts that must be equal on all hosts; otherwise measurements between the hosts are not
 * meaningful.
 */
static const struct {
	const char *part, *id, *remedy;
} must_equal[] = {
	{ "mtu_B", "mtu",
	  "give all interfaces of one network the same MTU ('ip link set DEVICE mtu N')" },
	{ "speed_Mbps", "speed", "check its cable, its port on the switch, and the driver" },
	{ "rate", "speed", "check its cable, its port on the switch, and the firmware" },
	{ "netbench.version", "netbench", "install the same netbench on all hosts" },
	{ "netbench.commit", "netbench", "install the same netbench on all hosts" },
};

static void add_difference(struct merged_findings *m, const char *id, enum severity severity,
			   const char *host, const char *remedy, const char *text)
{
	json_t *one = json_array();
	struct text key = { .n = 0 };

	finding_put(one, id, severity, "", remedy, "%s", text);
	text_add(&key, "%s|%s", id, text);
	merge_finding(m, key.s, json_array_get(one, 0), host);
	json_decref(one);
}

/* Returns the index in `must_equal` of a fact that differs, or -1 if the fact may differ. */
static int find_must_equal(const json_t *own, const char *path, json_t *mine, json_t *theirs)
{
	int link;
	const char *part = wording_part(path, &link);
	char name[64];

	/* links with different names may belong to different networks */
	snprintf(name, sizeof(name), "link.%d.name", link);
	if (link >= 0 && json_object_get(own, name))
		return -1;
	for (int i = 0; i < (int)LENGTH(must_equal); i++)
		if (!strcmp(must_equal[i].part, part) && !json_is_null(mine) &&
		    !json_is_null(theirs))
			return i;
	return -1;
}

/*
 * Adds the differences between one host and the other hosts. Each harmful difference is a finding;
 * all other differences are one finding.
 */
static void add_host_differences(struct merged_findings *m, const json_t *report,
				 const json_t *common)
{
	json_t *own = json_object_get(report, "own"), *mine;
	const char *host = result_text(report, "host"), *path;
	struct text rest = { .n = 0 };
	size_t n = 0, len;

	json_object_foreach(own, path, mine) {
		json_t *theirs = json_object_get(common, path);
		json_t *const values[] = { json_is_null(mine) ? NULL : mine,
					   json_is_null(theirs) ? NULL : theirs };
		int row = find_must_equal(own, path, mine, theirs), link;
		char *text = NULL;	/* text such as "MTU 1500, others 9000" */
		FILE *to;

		wording_part(path, &link);
		if (link >= 0 && (!values[0] || !values[1]))
			continue;
		to = open_memstream(&text, &len);
		if (!to)
			continue;
		wording_difference(to, report, path, values, " ", ", others ");
		text_close(to, &text);
		if (text && row >= 0)
			add_difference(m, must_equal[row].id, SEVERITY_WRONG, host,
				       must_equal[row].remedy, text);
		else if (text && n++ < LISTED)
			text_add(&rest, "%s%s", n > 1 ? "; " : "", text);
		free(text);
	}
	if (n > LISTED)
		text_add(&rest, "; and %zu more", n - LISTED);
	if (n)
		add_difference(m, "differs", SEVERITY_NOTE, host,
			       "make the hosts alike, or measure between equal hosts", rest.s);
}

json_t *find_hosts(json_t *reports, json_t **common)
{
	struct merged_findings m = { json_array(), json_object() };
	size_t n = json_array_size(reports), i;
	json_t *report, *finding;
	size_t k;

	json_array_foreach(reports, i, report) {
		json_array_foreach(json_object_get(report, "findings"), k, finding) {
			struct text key = { .n = 0 };

			text_add(&key, "%s|%s|%s|%s", result_text(finding, "id"),
				 result_text(finding, "severity"), result_text(finding, "subject"),
				 result_text(finding, "remedy"));
			merge_finding(&m, key.s, finding, result_text(report, "host"));
		}
		json_object_set(report, "own", json_object_get(report, "facts"));
		json_object_del(report, "facts");
		json_object_del(report, "findings");
	}
	/* removes "hosts" from findings that all hosts have */
	json_array_foreach(m.list, i, finding)
		if (json_array_size(json_object_get(finding, "hosts")) == n)
			json_object_del(finding, "hosts");
	*common = machines_common(reports);
	for (i = 0; i < n && n > 1; i++)
		add_host_differences(&m, json_array_get(reports, i), *common);
	json_decref(m.index);
	return m.list;
}
