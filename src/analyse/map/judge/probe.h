/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests whether pairs slow each other down: measures some pairs alone, by (S5) of
 * netbench-method(7).
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_PROBE_H
#define NETBENCH_ANALYSE_MAP_JUDGE_PROBE_H

#include "analyse/map/judge/rules.h"

/* The test needs at least this number of hosts, and two visits. */
#define PROBE_HOSTS 12
#define PROBE_MOST 16		/* largest number of pairs, in two sets */
/* largest number of rounds: each pair twice alone, and each set twice in a round of all hosts */
#define PROBE_ROUNDS (2 * PROBE_MOST + 4)
/* with more hosts in quick mode there is no test: it would take longer than all other rounds */
#define PROBE_QUICK_MOST 1024

struct probing {
	uint32_t sets, tried;	/* number of sets of disjoint pairs, and number of their pairs */
	uint32_t slowed, reverse;	/* number of pairs that are faster, or slower, when alone */
	/* largest number of these pairs with a common host, which may be unsteady */
	uint32_t one_host;
	uint32_t *of;		/* number of these pairs for each host */
};

/* Measures one more set: the slowest pairs of a visit, each one alone. */
void probe_another_set(struct probing *p, const struct matrix *m, const struct rules *rules);

/*
 * Measures pairs across a boundary, each one alone. Returns the median of their gains, as
 * logarithms: how much faster they are alone. side[host] is true on one side of the boundary.
 */
double probe_across(const struct matrix *m, const struct rules *rules, const bool *side);

/*
 * True if the measured pairs show that pairs share links. varies: most hosts vary from visit to
 * visit; then 3 of 16 pairs suffice.
 */
bool probe_is_shared(const struct probing *p, bool varies);

/*
 * True if another set must be measured to decide. `verdict` is true if verdicts were found after
 * the first set.
 */
bool probe_needs_more(const struct probing *p, bool verdict);

#endif
