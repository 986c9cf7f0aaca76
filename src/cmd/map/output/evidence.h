/* SPDX-License-Identifier: Apache-2.0 */
/* What the machines tell beside a verdict: counters and facts of a host that its peers have not. */
#ifndef NETBENCH_CMD_MAP_OUTPUT_EVIDENCE_H
#define NETBENCH_CMD_MAP_OUTPUT_EVIDENCE_H

#include <stdio.h>

#include "cmd/map/output/words.h"

/*
 * Sets the evidence of each verdict, and the differences between hosts, by what the study knows of
 * their machines; empty lists if nothing. ST_OK, or ST_FAILED without memory (reported).
 */
int evidence_find(struct verdicts *all);

/* A line for each host, or several that are alike, with what others have otherwise. */
void evidence_lines(FILE *to, const struct verdicts *all);

/* "; its eth0 counted 1,245 CRC errors, its peers none: suspect its cable": the most telling. */
void evidence_tail(FILE *to, const struct verdict_of *v);

#endif
