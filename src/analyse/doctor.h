/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of the doctor, as JSON, and links as they see them. */
#ifndef NETBENCH_ANALYSE_DOCTOR_H
#define NETBENCH_ANALYSE_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/finding.h"

enum severity { SEVERITY_OK, SEVERITY_NOTE, SEVERITY_WRONG, NSEVERITIES };
extern const char *const severity_names[];

/*
 * Adds a finding to a list: {"id", "severity", "subject", "text", "remedy"}. The text says what is
 * found and what that means for measurements. The remedy says what to do; "": nothing.
 */
void finding_put(json_t *list, const char *id, enum severity severity, const char *subject,
		 const char *remedy, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

/* How serious a finding is. */
enum severity finding_severity(const json_t *finding);

/*
 * Adds such findings to `found`, with their words as evidence. SEVERITY_NOTE and SEVERITY_WRONG are
 * VERDICT_YES; with `strict` SEVERITY_WRONG decides. ST_OK or ST_FAILED (reported).
 */
int doctor_findings(const json_t *list, bool strict, struct findings *found);

/* A link as its findings see it. */
struct link_view {
	const char *name;
	const json_t *facts;
	bool port;			/* of an RDMA device */
	bool hardware, up;
	double Gbps, mtu_B;		/* NaN: not known */
};
struct link_view link_view_of(const char *name, const json_t *link);

/*
 * The names of the links that matter: hardware with a connection; without such links, software that
 * is up. New reference.
 */
json_t *links_that_matter(const json_t *links);

#endif
