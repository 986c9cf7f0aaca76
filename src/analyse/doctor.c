/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/doctor.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/facts.h"
#include "result/document.h"

const char *const severity_names[] = { "ok", "note", "wrong", NULL };

void finding_put(json_t *list, const char *id, enum severity severity, const char *subject,
		 const char *remedy, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o}", "id", id, "severity",
					      severity_names[severity], "subject",
					      json_text(subject), "text", json_text(text), "remedy",
					      json_text(remedy)));
}

enum severity finding_severity(const json_t *finding)
{
	const char *name = json_string_value(json_object_get(finding, "severity"));
	enum severity s = SEVERITY_OK;

	while (name && severity_names[s] && strcmp(severity_names[s], name) != 0)
		s++;
	return s < NSEVERITIES ? s : SEVERITY_OK;
}

void doctor_findings(const json_t *list, bool strict, struct findings *found)
{
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		enum severity severity = finding_severity(one);

		findings_add(found, &(struct finding){
			.kind = result_text(one, "id"), .subject = result_text(one, "subject"),
			.effect = NAN, .lo = NAN, .hi = NAN, .of = i,
			.verdict = severity == SEVERITY_OK ? VERDICT_NO : VERDICT_YES,
			.decides = strict && severity == SEVERITY_WRONG,
			.evidence = json_pack("{s:s, s:O, s:O, s:O?}", "severity",
					      severity_names[severity], "text",
					      json_object_get(one, "text"), "remedy",
					      json_object_get(one, "remedy"), "hosts",
					      json_object_get(one, "hosts")) });
	}
}

struct link_view read_link(const char *name, const json_t *link)
{
	const json_t *facts = json_object_get(link, "facts");
	struct link_view v = { .name = name, .facts = facts };
	double rate = strtod(result_text(facts, "rate"), NULL);
	const char *state = result_text(facts, "state");

	v.port = json_object_get(facts, "link_layer");
	v.hardware = v.port || *result_text(facts, "driver");
	/* some drivers, such as tap's, report the state "unknown" for a link that is in use */
	v.up = !strcmp(state, "up") || !strcmp(state, "unknown") || strstr(state, "ACTIVE");
	v.mtu_B = result_number(facts, "mtu_B");
	v.Gbps = v.port ? (rate > 0 ? rate : NAN) : result_number(facts, "speed_Mbps") / 1e3;
	return v;
}

json_t *relevant_links(const json_t *links)
{
	json_t *hard = json_array(), *soft = json_array(), *link;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)links, name, link) {
		struct link_view v = read_link(name, link);

		if (v.up)
			json_array_append_new(v.hardware ? hard : soft, json_string(name));
	}
	if (!json_array_size(hard))
		json_array_extend(hard, soft);
	json_decref(soft);
	return hard;
}
