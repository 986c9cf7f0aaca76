/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model beside the rows of a result: what was measured, what the model says of the same, and how
 * far apart they are.
 */
#ifndef NETBENCH_CMD_MODEL_AGAINST_H
#define NETBENCH_CMD_MODEL_AGAINST_H

#include "cmd/model/form.h"

/*
 * Plans the rows of the result --against of which form->predict says something. What the footer
 * has comes last. ST_OK or a fault (reported).
 */
int against_plan(struct asked *a);
void against_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);

#endif
