/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds evidence for verdicts: counters and facts of a host that differ from the counters and facts
 * of its peers.
 */
#ifndef NETBENCH_CMD_MAP_EVIDENCE_H
#define NETBENCH_CMD_MAP_EVIDENCE_H

#include "analyse/map/judge.h"

/*
 * Derives the evidence of each verdict and the differences between hosts from the study's machines.
 * Without machines both are NULL. Returns ST_OK, or ST_FAILED without memory (reported).
 */
int evidence_find(struct verdicts *all);

#endif
