/* SPDX-License-Identifier: Apache-2.0 */
/* Form --fit: fits LogGP's parameters again, to the samples in a result of model --measure. */
#ifndef NETBENCH_CMD_MODEL_REFIT_H
#define NETBENCH_CMD_MODEL_REFIT_H

#include "cmd/model/form.h"

extern const struct form refit_form;

#endif
