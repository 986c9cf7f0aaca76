/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects facts about the hosts' machines, and how the counters of their links changed during the
 * run.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_MACHINES_H
#define NETBENCH_CMD_MAP_MEASURE_MACHINES_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/map/study/study.h"
#include "measure/session.h"

/*
 * Collects facts and counters of the machines of all ranks with `takes_part`. Returns on rank 0 a
 * list with an object or null for each rank (new reference). Returns NULL on other ranks and in
 * virtual time. Collective.
 */
json_t *machines_collect(struct session *s, bool takes_part);

/*
 * Compares `before` and `after`, which machines_collect returned before and after the run. Returns
 * NULL if either is NULL, else an object (new reference) with:
 * - "common": the facts of most hosts.
 * - "hosts": for each host its other facts ("own"), the links that it used, counters (before,
 *   after), and facts that changed.
 * rank[i] is the rank of the study's host i. If `rank` is NULL, the rank of host i is i.
 */
json_t *machines_compare(const json_t *before, const json_t *after, const struct study *s,
			 const int *rank);

#endif
