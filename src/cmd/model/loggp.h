/* SPDX-License-Identifier: Apache-2.0 */
/* LogGP: what messages of any size take, between two ranks and among many. */
#ifndef NETBENCH_CMD_MODEL_LOGGP_H
#define NETBENCH_CMD_MODEL_LOGGP_H

#include "cmd/model/form.h"

/*
 * Takes the parameters that --like and --loggp give, and sets the title, "LogGP L=1 us ...", and
 * the record's parameters. Where the file of --like has parameters of the RDMA form alone, it plans
 * that form, the first of form->other, and loggp_given is false. ST_OK or a fault (reported).
 */
int loggp_take(struct asked *a);
bool loggp_given(const struct asked *a);

int loggp_plan(struct asked *a);
void loggp_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);
int loggp_plan_against(struct asked *a);
int loggp_plan_window(struct asked *a);
void loggp_fill_window(const struct asked *a, size_t i, const struct record *rec, struct row *row);

#endif
