/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `verbs`: the functions of record.c that its other files call. Hooks are described in
 * backend.h.
 */
#ifndef NETBENCH_BACKENDS_VERBS_RECORD_H
#define NETBENCH_BACKENDS_VERBS_RECORD_H

#include "backends/verbs/types.h"

void verbs_describe(struct endpoint *ep, struct facts *f);
void verbs_list(int n, char **files, struct facts *f);
int verbs_counters(struct endpoint *ep, struct counter *c);

/* Returns the NUMA node of the device, or -1 if unknown. */
int verbs_numa_node(const struct verbs *v);

#endif
