/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects facts of the hosts' machines, and what the counters of their links did during the run.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_MACHINES_H
#define NETBENCH_CMD_MAP_MEASURE_MACHINES_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/map/study/study.h"
#include "measure/session.h"

/*
 * Collects facts and counters of the machines of all ranks with `takes_part`. Rank 0 gets a list
 * with an object or null for each rank (new reference). Returns NULL on other ranks, and in virtual
 * time. Collective.
 */
json_t *machines_collect(struct session *s, bool takes_part);

/*
 * Compares what machines_collect returned before and after the run. New reference; NULL if either
 * is NULL. The object has:
 * - "common": the facts of most hosts.
 * - "hosts": for each host its other facts ("own"), the links that it used, counters (before,
 *   after), and facts that changed.
 * rank[i] is the rank of the study's host i; NULL: i.
 */
json_t *machines_compare(const json_t *before, const json_t *after, const struct study *s,
			 const int *rank);

#endif
