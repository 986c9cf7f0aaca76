/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of --schedule: the sends of a broadcast under LogP, or the stages of one message, over
 * time. Both as a table or a picture.
 */
#ifndef NETBENCH_CMD_MODEL_SCHEDULE_H
#define NETBENCH_CMD_MODEL_SCHEDULE_H

#include "cmd/model/form.h"

extern const struct form schedule_logp_form, schedule_rdma_form;

#endif
