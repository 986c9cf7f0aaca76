/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Form of `model --loggp` for collective operations by netbench's own algorithms. Their times are
 * exact under LogGP (COLLECTIVES.md 38).
 */
#ifndef NETBENCH_CMD_MODEL_OPERATIONS_H
#define NETBENCH_CMD_MODEL_OPERATIONS_H

#include "cmd/model/form.h"

extern const struct form operations_form;

#endif
