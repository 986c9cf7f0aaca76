/* SPDX-License-Identifier: Apache-2.0 */
/* Form --fit: LogGP's parameters from a result of model --measure, once more. */
#pragma once

#include "cmd/model/form.h"

extern const struct form refit_form;
