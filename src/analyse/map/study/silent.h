/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts and pairs that did not answer: what failed, and when. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_SILENT_H
#define NETBENCH_ANALYSE_MAP_STUDY_SILENT_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/*
 * Adds the hosts of which two pairs or more failed after the last that succeeded, and the other
 * pairs that failed and did not succeed again.
 */
void silent_judge(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
