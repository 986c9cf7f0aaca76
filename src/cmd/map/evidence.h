/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence for verdicts: counters and facts of a host that differ from its peers'. */
#ifndef NETBENCH_CMD_MAP_EVIDENCE_H
#define NETBENCH_CMD_MAP_EVIDENCE_H

#include "analyse/map/judge.h"

/*
 * Sets the evidence of each verdict, and the differences between hosts, from the machines of the
 * study; NULL without these. ST_OK, or ST_FAILED without memory (reported).
 */
int evidence_find(struct verdicts *all);

#endif
