/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts and pairs that did not answer. */
#ifndef NETBENCH_ANALYSE_MAP_STUDY_SILENT_H
#define NETBENCH_ANALYSE_MAP_STUDY_SILENT_H

#include "analyse/map/study/study.h"
#include "analyse/map/verdict.h"

/*
 * Names hosts that stopped answering: at least two of their pairs failed after their last success.
 * Then names other pairs that failed and did not succeed later.
 */
void silent_judge(const struct study *s, struct scratch *room, struct map_judged *j);

#endif
