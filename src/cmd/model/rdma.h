/* SPDX-License-Identifier: Apache-2.0 */
/* Forms: latency, and the message rate of one RDMA connection as its slowest stage allows it. */
#ifndef NETBENCH_CMD_MODEL_RDMA_H
#define NETBENCH_CMD_MODEL_RDMA_H

#include "cmd/model/form.h"

extern const struct form rdma_form, rdma_against_form;

/*
 * Takes the parameters of --rdma, --like or --example, and sets the title, the footer and the
 * record's parameters. ST_OK or ST_USAGE (reported).
 */
int rdma_take(struct asked *a);

/* The options that give the parameters. */
#define RDMA_OPTIONS "rdma like reads example serial"

#endif
