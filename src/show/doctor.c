/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the report of the doctor: the verdict, faults with remedies, default backends, links, and
 * the checks that passed.
 */
#include "show/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/values.h"
#include "config.h"
#include "result/document.h"

#define LABEL 23		/* width of the column of labels */
#define WIDTH 79
#define HOSTS_SHOWN 4

const struct sentence doctor_sentences[] = {
	{ "", { "{text}", "{text}", NULL }, "{remedy}" },
	{ NULL, { NULL }, NULL },
};

static void put_line(FILE *to, const char *label, const char *text)
{
	int used = fprintf(to, "  %s", label);

	if (used >= LABEL)
		fprintf(to, "\n%*s", LABEL, "");
	else
		fprintf(to, "%*s", LABEL - used, "");
	text_wrap(to, text, LABEL, WIDTH);
}

/*
 * Adds the hosts of a finding, such as " (n1, n2 and 3 more)". Adds nothing if all hosts have the
 * finding.
 */
static void add_hosts(struct text *t, const json_t *finding)
{
	const json_t *hosts = json_object_get(finding, "hosts"), *host;
	size_t n = json_array_size(hosts), i;

	json_array_foreach(hosts, i, host)
		if (i < HOSTS_SHOWN)
			text_add(t, "%s%s", i ? ", " : " (", json_string_value(host));
	if (n > HOSTS_SHOWN)
		text_add(t, " and %zu more", n - HOSTS_SHOWN);
	if (n)
		text_add(t, "%s)", json_object_get(finding, "varies") ? "; numbers of the first"
								      : "");
	else if (json_object_get(finding, "varies"))
		text_add(t, " (numbers of the first host)");
}

static void put_findings(FILE *to, const struct diagnosis *d, enum severity severity,
			 const char *heading)
{
	const json_t *finding;
	size_t i;

	if (d->count[severity])
		fprintf(to, "\n%s:\n", heading);
	json_array_foreach(d->findings, i, finding) {
		const char *remedy = result_text(finding, "remedy");
		struct text label = { .n = 0 }, text = { .n = 0 };

		if (finding_severity(finding) != severity)
			continue;
		text_add(&label, "%s %s", result_text(finding, "id"),
			 result_text(finding, "subject"));
		text_add(&text, "%s", result_text(finding, "text"));
		add_hosts(&text, finding);
		put_line(to, label.s, text.s);
		if (*remedy) {
			fprintf(to, "%*s=> ", LABEL, "");
			text_wrap(to, remedy, LABEL + 3, WIDTH);
		}
	}
}

/* Writes a line for each link: "eth0    up, 25 Gbit/s, MTU 9000, NUMA node 0, driver mlx5_core". */
static void put_links(FILE *to, const struct diagnosis *d)
{
	json_t *matter = relevant_links(d->links), *name;
	size_t i, others = json_object_size(d->links) - json_array_size(matter);

	if (json_object_size(d->links))
		fputs("\nlinks of this host:\n", to);
	json_array_foreach(matter, i, name) {
		const json_t *link = json_object_get(d->links, json_string_value(name));
		const json_t *facts = json_object_get(link, "facts");
		double speed = result_number(facts, "speed_Mbps");
		double mtu = result_number(facts, "mtu_B");
		double node = result_number(facts, "numa_node");
		const char *rate = result_text(facts, "rate");
		const char *driver = result_text(facts, "driver");
		struct text t = { .n = 0 };

		text_add(&t, "%s", result_text(facts, "state"));
		if (*rate)
			text_add(&t, ", %s, %s", rate, result_text(facts, "link_layer"));
		if (speed > 0)
			text_add(&t, ", %g Gbit/s", speed / 1e3);
		if (mtu > 0)
			text_add(&t, ", MTU %g", mtu);
		if (node >= 0)
			text_add(&t, ", NUMA node %g", node);
		if (*driver)
			text_add(&t, ", driver %s", driver);
		else if (!*rate)
			text_add(&t, ", virtual");
		put_line(to, json_string_value(name), t.s);
	}
	if (others)
		fprintf(to, "  %s%zu that %s down or virtual\n",
			json_array_size(matter) ? "and " : "", others, others == 1 ? "is" : "are");
	json_decref(matter);
}

static void put_passed_checks(FILE *to, const struct diagnosis *d)
{
	const json_t *finding;
	json_t *names = json_object();
	struct text t = { .n = 0 };
	const char *name;
	json_t *v;
	size_t i;

	json_array_foreach(d->findings, i, finding)
		if (finding_severity(finding) == SEVERITY_OK) {
			const char *id = result_text(finding, "id");

			json_object_set_new(names, strcmp(id, "backend") ? id
					    : result_text(finding, "subject"), json_true());
		}
	json_object_foreach(names, name, v)
		text_add(&t, "%s%s", t.n ? ", " : "", name);
	json_decref(names);
	if (!t.n)
		return;
	fputs("\nfine: ", to);
	text_wrap(to, t.s, 6, WIDTH);
}

char *doctor_words(const struct diagnosis *d)
{
	char *text = NULL;
	size_t i;
	FILE *to = text_open(&text);
	size_t wrong = d->count[SEVERITY_WRONG], notes = d->count[SEVERITY_NOTE];
	struct text t = { .n = 0 };
	const json_t *choice;

	text_add(&t, "netbench %s doctor %s: ", NETBENCH_VERSION, d->title);
	if (wrong)
		text_add(&t, "%zu thing%s wrong", wrong, wrong == 1 ? " is" : "s are");
	else
		text_add(&t, "nothing is wrong");
	if (notes)
		text_add(&t, ", %zu to know of", notes);
	text_wrap(to, t.s, 0, WIDTH);
	put_findings(to, d, SEVERITY_WRONG, "wrong");
	put_findings(to, d, SEVERITY_NOTE, "to know of");
	fputs("\nnetbench would use:\n", to);
	json_array_foreach(d->choices, i, choice) {
		t.n = 0;
		text_add(&t, "%s, %s", result_text(choice, "backend"), result_text(choice, "why"));
		put_line(to, result_text(choice, "where"), t.s);
	}
	put_links(to, d);
	put_passed_checks(to, d);
	return memory_or_exit(text_close(to, &text));
}
