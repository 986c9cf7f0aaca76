/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of the hosts' machines, and counters of their links during the run. */
#ifndef NETBENCH_CMD_MAP_MEASURE_MACHINES_H
#define NETBENCH_CMD_MAP_MEASURE_MACHINES_H

#include <jansson.h>
#include <stdbool.h>

#include "analyse/map/study/study.h"
#include "measure/session.h"

/*
 * Looks at the machines of the ranks that play. Rank 0 gets a list with an object or null for each
 * rank, a new reference; NULL elsewhere, and in virtual time. Collective.
 */
json_t *machines_look(struct session *s, bool plays);

/*
 * Compares two looks, before and after the run. "common" has the facts of most hosts. "hosts" has
 * of each host its other facts, the links that it has used, their counters (before, after), and
 * facts that have changed. rank[i] is the rank of the study's host i. NULL without looks; else a
 * new reference.
 */
json_t *machines_compare(const json_t *before, const json_t *after, const struct study *s,
			 const int *rank);

#endif
