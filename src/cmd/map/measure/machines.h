/* SPDX-License-Identifier: Apache-2.0 */
/* What the machines of the hosts are like, and what their links have counted meanwhile. */
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
 * What two looks have found, before and after: "common", the facts that most hosts have, and
 * "hosts", each with those facts that are its own, the links that it has used, their counters
 * (before, after) and facts that have changed. rank[i] is that of the study's host i. NULL if there
 * are no looks; else a new reference.
 */
json_t *machines_compare(const json_t *before, const json_t *after, const struct study *s,
			 const int *rank);

#endif
