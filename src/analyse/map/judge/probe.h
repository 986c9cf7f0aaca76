/* SPDX-License-Identifier: Apache-2.0 */
/* Tests whether pairs slow each other down, by measuring some alone: (S5) of netbench-method(7). */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_PROBE_H
#define NETBENCH_ANALYSE_MAP_JUDGE_PROBE_H

#include "analyse/map/judge/rules.h"

/* The test needs this number of hosts, and two visits. */
#define PROBE_HOSTS 12
#define PROBE_MOST 16		/* largest number of pairs, in two sets */

struct probing {
	uint32_t sets, tried;	/* number of sets of disjoint pairs; number of pairs measured */
	uint32_t slowed;	/* number of pairs that are faster alone */
	uint32_t one_host;	/* the most of these that share one host, which may be unsteady */
	uint32_t *of;		/* number of these for each host */
};

/* Measures one more set alone: the slowest pairs of a visit. */
void probe_another_set(struct probing *p, const struct matrix *m, const struct rules *rules);

/*
 * Measures a set of pairs across a boundary alone. Returns how much faster they are alone: the
 * median, as a logarithm. `side` is true for the hosts on one side of the boundary.
 */
double probe_across(const struct matrix *m, const struct rules *rules, const bool *side);

/* True if pairs share links. */
bool probe_is_shared(const struct probing *p);

/* True if another set is needed to decide. `verdict`: verdicts were found meanwhile. */
bool probe_needs_more(const struct probing *p, bool verdict);

#endif
