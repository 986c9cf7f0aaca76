/* SPDX-License-Identifier: Apache-2.0 */
/* What the machines tell beside a verdict, in words. */
#ifndef NETBENCH_SHOW_MAP_EVIDENCE_H
#define NETBENCH_SHOW_MAP_EVIDENCE_H

#include <stdio.h>

#include "analyse/map/verdicts.h"

/* A line for each host, or several that are alike, with what others have otherwise. */
void evidence_lines(FILE *to, const struct verdicts *all);

/* "; its eth0 counted 1,245 CRC errors, its peers none: suspect its cable": the most telling. */
void evidence_tail(FILE *to, const struct map_verdict *v);

#endif
