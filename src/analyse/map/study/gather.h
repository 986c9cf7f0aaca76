/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on pairs that are one on their host. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_GATHER_H
#define NETBENCH_ANALYSE_MAP_STUDY_GATHER_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/*
 * A link between switches that is slower than a slow host hides it, and pairs of its own switch
 * alone show it: where more than half of a host's pairs of a distance are named, and three or more,
 * the host is named in their place.
 */
void gather_pairs(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
