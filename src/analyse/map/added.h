/* SPDX-License-Identifier: Apache-2.0 */
/* By how much round trips are longer, in seconds. */
#ifndef NETBENCH_ANALYSE_MAP_ADDED_H
#define NETBENCH_ANALYSE_MAP_ADDED_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/* Sets how many seconds each verdict adds to half a round trip. */
void added_find(const struct study *s, struct scratch *room, struct map_judged *j);

/* The least effect that is more than chance among some hosts where ranks share cores; a log. */
double added_least(const struct study *s, struct scratch *room, const uint32_t *hosts, uint32_t n);

#endif
