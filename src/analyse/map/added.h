/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a study adds to the verdicts on its matrices: seconds of round trips, hosts and pairs that
 * did not answer, and one verdict on a host in place of several on its pairs.
 */
#ifndef NETBENCH_ANALYSE_MAP_ADDED_H
#define NETBENCH_ANALYSE_MAP_ADDED_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/* Sets how many seconds each verdict adds to half a round trip. */
void added_find(const struct study *s, struct scratch *room, struct map_judged *j);

/* The least effect that is more than chance among some hosts where ranks share cores; a log. */
double added_least(const struct study *s, struct scratch *room, uint32_t class);

/*
 * Names hosts that stopped answering: at least two of their pairs failed after their last success.
 * Then names other pairs that failed and did not succeed later.
 */
void silent_judge(const struct study *s, struct scratch *room, struct map_judged *j);

/*
 * A slow host is hidden behind a link between switches that is even slower: only pairs within its
 * switch show it. So if more than half of a host's pairs of a distance are named, and at least
 * three, this names the host in their place.
 */
void gather_pairs(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
