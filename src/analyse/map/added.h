/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Completes the verdicts on a study's matrices. States the seconds that faults add to round trips.
 * Adds verdicts on hosts and pairs that did not answer. Replaces several verdicts on the pairs of a
 * host by one verdict on that host.
 */
#ifndef NETBENCH_ANALYSE_MAP_ADDED_H
#define NETBENCH_ANALYSE_MAP_ADDED_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/* Sets the number of seconds that the fault of each verdict adds to half a round trip. */
void find_added_seconds(const struct study *s, struct scratch *room, struct map_judged *j);

/*
 * For hosts of a class where ranks share cores: the smallest effect, as a logarithm, that chance
 * does not explain.
 */
double least_above_chance(const struct study *s, struct scratch *room, uint32_t class);

/*
 * Adds verdicts on hosts that stopped answering: at least two of their pairs failed after their
 * last success. Then adds verdicts on other pairs that failed and did not succeed later.
 */
void judge_silent_hosts(const struct study *s, struct scratch *room, struct map_judged *j);

/*
 * Replaces the verdicts on a host's pairs by a verdict on the host. The condition: verdicts name at
 * least three, and more than half, of the host's pairs within its switch, or of its other pairs.
 * This finds a slow host behind an even slower link between switches, because only pairs within its
 * switch show that host. The switches are those of the topology, or the leaves of KIND_SHARED.
 */
void name_hosts_of_pairs(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
