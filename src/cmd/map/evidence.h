/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence for verdicts: counters and facts of a host that differ from those of its peers. */
#ifndef NETBENCH_CMD_MAP_EVIDENCE_H
#define NETBENCH_CMD_MAP_EVIDENCE_H

#include "analyse/map/judge.h"

/*
 * Sets the evidence of each verdict, and the differences between hosts, from the study's machines.
 * Without machines both are NULL. ST_OK, or ST_FAILED without memory (reported).
 */
int evidence_find(struct verdicts *all);

#endif
