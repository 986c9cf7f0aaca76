/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds leaves: sets of hosts that are near each other, such as the hosts of a switch. Pairs within
 * a leaf are faster than pairs of two leaves. The reason: pairs of two leaves have a longer path,
 * or share links. Equations (S1) to (S4) of netbench-method(7).
 */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_LEAVES_H
#define NETBENCH_ANALYSE_MAP_JUDGE_LEAVES_H

#include "analyse/map/judge/rules.h"

struct leaves {
	uint32_t *of;		/* leaf of each host; n: the host is in no leaf */
	uint32_t n;		/* number of leaves, two or more; 0: none found */
	/* Hosts sorted by leaf. Those of leaf k are order[first[k]] to order[first[k+1] - 1]. */
	uint32_t *order, *first;
};

/*
 * Makes the struct from leaves that are already known. of[] has `hosts` entries, each a leaf's
 * number or n for none. Call it within a computation.
 */
struct leaves leaves_make(struct scratch *room, uint32_t *of, uint32_t n, uint32_t hosts);

static inline uint32_t leaves_size(const struct leaves *l, uint32_t leaf)
{
	return l->first[leaf + 1] - l->first[leaf];
}

/* True if both hosts are in the same leaf. */
static inline bool leaves_within(const struct leaves *l, uint32_t i, uint32_t j)
{
	return l->of[i] == l->of[j] && l->of[i] < l->n;
}

/*
 * Finds leaves in all visits except the final one, and keeps the leaves that the final visit
 * confirms. With one visit, or too many hosts, it finds none. The leaves live as long as the memory
 * in rules->room.
 */
struct leaves leaves_find(const struct matrix *m, const struct rules *rules);

#endif
