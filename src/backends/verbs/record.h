/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what record.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_RECORD_H
#define NETBENCH_BACKENDS_VERBS_RECORD_H

#include "backends/verbs/types.h"

void verbs_describe(struct endpoint *ep, struct facts *f);
void verbs_list(int n, char **files, struct facts *f);
int verbs_counters(struct endpoint *ep, struct counter *c);

/* The NUMA node of the device; -1: not known. */
int verbs_node_of_device(const struct verbs *v);

#endif
