/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completes the verdicts on a study's matrices. Adds the seconds that round trips take longer, and
 * hosts and pairs that did not answer. Replaces several verdicts on a host's pairs by one on the
 * host.
 */
#ifndef NETBENCH_ANALYSE_MAP_ADDED_H
#define NETBENCH_ANALYSE_MAP_ADDED_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/* Sets the number of seconds that each verdict adds to half a round trip. */
void find_added_seconds(const struct study *s, struct scratch *room, struct map_judged *j);

/*
 * The smallest effect, as a logarithm, that is more than chance among the hosts of a class where
 * ranks share cores.
 */
double least_above_chance(const struct study *s, struct scratch *room, uint32_t class);

/*
 * Adds verdicts on hosts that stopped answering: at least two of their pairs failed after their
 * last success. Then adds verdicts on other pairs that failed and did not succeed later.
 */
void judge_silent_hosts(const struct study *s, struct scratch *room, struct map_judged *j);

/*
 * Names a host in place of its pairs, if more than half of the host's pairs of one distance are
 * named, and at least three. This finds a slow host behind a link between switches that is even
 * slower: only pairs within its switch show that host.
 */
void name_hosts_of_pairs(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
