/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: the hook that measures the parameters of the RDMA form (backend.h). */
#ifndef NETBENCH_BACKENDS_VERBS_RDMA_H
#define NETBENCH_BACKENDS_VERBS_RDMA_H

#include "backends/verbs/types.h"

int verbs_rdma(struct endpoint *ep, struct rdma *found);

#endif
