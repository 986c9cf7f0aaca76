/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of --schedule: who sends to whom when in a broadcast of LogP, and where one message is
 * when; as tables and as pictures.
 */
#ifndef NETBENCH_CMD_MODEL_SCHEDULE_H
#define NETBENCH_CMD_MODEL_SCHEDULE_H

#include "cmd/model/form.h"

extern const struct form schedule_logp_form, schedule_rdma_form;

#endif
