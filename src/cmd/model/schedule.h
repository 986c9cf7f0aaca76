/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of `model` for --schedule. They show, as a table or a picture, the times of a broadcast's
 * sends under LogP or of the stages of one message.
 */
#ifndef NETBENCH_CMD_MODEL_SCHEDULE_H
#define NETBENCH_CMD_MODEL_SCHEDULE_H

#include "cmd/model/form.h"

extern const struct form schedule_logp_form, schedule_rdma_form;

#endif
