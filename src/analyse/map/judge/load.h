/* SPDX-License-Identifier: Apache-2.0 */
/* Measures how much the links of leaves carry when all hosts of a leaf send at once: (S6), (S7). */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_LOAD_H
#define NETBENCH_ANALYSE_MAP_JUDGE_LOAD_H

#include "analyse/map/judge/thin.h"
#include "analyse/map/verdict.h"

/*
 * Adds the verdict that pairs share links. It contains the bandwidth of pairs in the visits of m
 * relative to their bandwidth alone, and how much the links of leaves carry. Also adds a verdict on
 * each leaf whose links carry less than those of other leaves.
 */
void load_judge(const struct matrix *m, const struct leaves *leaves, const struct thin *thin,
		const struct rules *rules, struct map_judged *j);

#endif
