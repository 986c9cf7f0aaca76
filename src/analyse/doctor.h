/* SPDX-License-Identifier: Apache-2.0 */
/* The doctor's findings as JSON. Also the properties of network links that findings need. */
#ifndef NETBENCH_ANALYSE_DOCTOR_H
#define NETBENCH_ANALYSE_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/finding.h"

enum severity { SEVERITY_OK, SEVERITY_NOTE, SEVERITY_WRONG, NSEVERITIES };
extern const char *const severity_names[];

/*
 * Adds a finding to a list: {"id", "severity", "subject", "text", "remedy"}. The text states the
 * finding and its effect on measurements. The remedy states what to do; "" if nothing.
 */
void finding_put(json_t *list, const char *id, enum severity severity, const char *subject,
		 const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* Severity of a finding; SEVERITY_OK if it has none. */
enum severity finding_severity(const json_t *finding);

/*
 * Adds the doctor's findings to `found`, with their texts as evidence. The verdict is VERDICT_YES
 * for SEVERITY_NOTE and SEVERITY_WRONG. If `strict` is true, findings of SEVERITY_WRONG decide the
 * exit status.
 */
void doctor_findings(const json_t *list, bool strict, struct findings *found);

/* A link, with the properties that findings need. */
struct link_view {
	const char *name;
	const json_t *facts;
	bool port;			/* a port of an RDMA device */
	bool hardware, up;
	double Gbps, mtu_B;		/* NaN: not known */
};
struct link_view read_link(const char *name, const json_t *link);

/*
 * Returns the names of the relevant links, as a new reference. These are the hardware links that
 * are up. If there are none, they are the software links that are up.
 */
json_t *relevant_links(const json_t *links);

#endif
