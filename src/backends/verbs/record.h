/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what record.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_RECORD_H
#define NETBENCH_BACKENDS_VERBS_RECORD_H

#include "backends/verbs/types.h"

void verbs_describe(struct endpoint *ep, struct facts *f);
void verbs_list(int n, char **files, struct facts *f);
int verbs_counters(struct endpoint *ep, struct counter *c);

/* Warns if this rank runs on another NUMA node than its device. */
void verbs_judge_nearness(const struct verbs *v);

#endif
