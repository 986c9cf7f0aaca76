/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results for 100 and 1000 ranks: simulated rows, and closed forms with parameters fitted to a
 * measurement.
 */
#pragma once

#include "cmd/report/types.h"
#include "show/page/page.h"

void report_scaling(struct page *to, const struct report *r);
