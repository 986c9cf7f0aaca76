/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what rdma.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_RDMA_H
#define NETBENCH_BACKENDS_VERBS_RDMA_H

#include "backends/verbs/types.h"

int verbs_rdma(struct endpoint *ep, struct rdma *found);

#endif
