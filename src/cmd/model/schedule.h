/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --schedule: who sends to whom when in a broadcast of LogP, and where one message is when; as
 * tables and as pictures.
 */
#ifndef NETBENCH_CMD_MODEL_SCHEDULE_H
#define NETBENCH_CMD_MODEL_SCHEDULE_H

#include "cmd/model/form.h"

/*
 * The broadcast of --algorithm and --arity; turns to the first of form->other without a schedule,
 * to the second one for one message.
 */
int schedule_plan(struct asked *a);
void schedule_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);
int schedule_draw(const struct asked *a);

/* One message of the RDMA form, whose parameters and title are known. ST_OK or ST_USAGE. */
int schedule_plan_rdma(struct asked *a);
void schedule_fill_stage(const struct asked *a, size_t i, const struct record *rec,
			 struct row *row);
int schedule_draw_message(const struct asked *a);

#endif
