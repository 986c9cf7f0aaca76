/* SPDX-License-Identifier: Apache-2.0 */
/* What the machines tell beside a verdict: counters and facts of a host that its peers have not. */
#ifndef NETBENCH_CMD_MAP_EVIDENCE_H
#define NETBENCH_CMD_MAP_EVIDENCE_H

#include "analyse/map/verdicts.h"

/*
 * Sets the evidence of each verdict, and the differences between hosts, by what the study knows of
 * their machines; empty lists if nothing. ST_OK, or ST_FAILED without memory (reported).
 */
int evidence_find(struct verdicts *all);

#endif
