/* SPDX-License-Identifier: Apache-2.0 */
/* RDMA: latency, and the message rate of one connection as the slowest of its stages allows it. */
#ifndef NETBENCH_CMD_MODEL_RDMA_H
#define NETBENCH_CMD_MODEL_RDMA_H

#include "cmd/model/form.h"

int rdma_plan(struct asked *a);
void rdma_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);

/* The same with the parameters of the document that --like names, which has none of LogGP. */
int rdma_plan_like(struct asked *a, const json_t *doc);

#endif
