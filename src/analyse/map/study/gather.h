/* SPDX-License-Identifier: Apache-2.0 */
/* One verdict on a host in place of several on its pairs. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_GATHER_H
#define NETBENCH_ANALYSE_MAP_STUDY_GATHER_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/*
 * A slow host is hidden behind a link between switches that is even slower: only pairs within its
 * switch show it. So if more than half of a host's pairs of a distance are named, and at least
 * three, this names the host in their place.
 */
void gather_pairs(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
