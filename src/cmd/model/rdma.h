/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of `model` for RDMA: the latency, and the message rate of one connection. The slowest stage
 * limits this rate.
 */
#ifndef NETBENCH_CMD_MODEL_RDMA_H
#define NETBENCH_CMD_MODEL_RDMA_H

#include "cmd/model/form.h"

extern const struct form rdma_form, rdma_against_form;

/*
 * Reads the parameters of --rdma, --like or --example. Sets the title, the footer and the record's
 * parameters. Returns ST_OK or ST_USAGE (reported).
 */
int rdma_read_parameters(struct model_request *a);

/* Names of the options that give the RDMA parameters. */
#define RDMA_OPTIONS "rdma like reads example serial"

#endif
