/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of CSV. */
#pragma once

#include "result/out.h"
#include "result/row.h"

/* Appends a cell, in quotes where it needs them; nothing for VAL_NONE. */
void csv_put(struct out *o, const struct value *v);
