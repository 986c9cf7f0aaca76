/* SPDX-License-Identifier: Apache-2.0 */
/* model --fit: LogGP's parameters from a result of model --measure, once more. */
#ifndef NETBENCH_CMD_MODEL_REFIT_H
#define NETBENCH_CMD_MODEL_REFIT_H

#include "cmd/model/form.h"

int refit_plan(struct asked *a);
void refit_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row);

#endif
