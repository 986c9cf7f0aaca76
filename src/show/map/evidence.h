/* SPDX-License-Identifier: Apache-2.0 */
/* Writes in words how the machines of the hosts differ. */
#ifndef NETBENCH_SHOW_MAP_EVIDENCE_H
#define NETBENCH_SHOW_MAP_EVIDENCE_H

#include <stdio.h>

#include "analyse/map/judge.h"

/*
 * Writes a line for each host that differs from the other hosts. The line has the facts of the
 * host, and the facts of the other hosts. Hosts with equal differences share a line.
 */
void evidence_write(FILE *to, const struct verdicts *all);

#endif
