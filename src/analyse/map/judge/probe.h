/* SPDX-License-Identifier: Apache-2.0 */
/* Whether pairs slow each other down: some are measured alone. (S5) of netbench-method(7). */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_PROBE_H
#define NETBENCH_ANALYSE_MAP_JUDGE_PROBE_H

#include "analyse/map/judge/rules.h"

/* From this number of hosts on, and with two visits. */
#define PROBE_HOSTS 12
#define PROBE_MOST 16		/* pairs, of two sets */

struct probing {
	uint32_t sets, tried;	/* sets of disjoint pairs; pairs */
	uint32_t slowed;	/* pairs that are faster alone */
	uint32_t one_host;	/* those of the host with most, which may be unsteady */
	uint32_t *of;		/* of each host */
};

/* Measures one more set, the slowest pairs of a visit, alone. */
void probe_more(struct probing *p, const struct matrix *m, const struct rules *rules);

/*
 * How much faster pairs across a boundary are alone: the median of a set, a log. `side` is true for
 * the hosts on one side of it.
 */
double probe_across(const struct matrix *m, const struct rules *rules, const bool *side);

/* True if pairs share links. */
bool probe_is_shared(const struct probing *p);

/* True if it takes another set to know; `verdict`: something was found meanwhile. */
bool probe_is_open(const struct probing *p, bool verdict);

#endif
