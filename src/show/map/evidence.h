/* SPDX-License-Identifier: Apache-2.0 */
/* How the machines of hosts differ, in words. */
#ifndef NETBENCH_SHOW_MAP_EVIDENCE_H
#define NETBENCH_SHOW_MAP_EVIDENCE_H

#include <stdio.h>

#include "analyse/map/judge.h"

/* A line for each host that differs, or for several alike: its facts and those of the others. */
void evidence_lines(FILE *to, const struct verdicts *all);

#endif
