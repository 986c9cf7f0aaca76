/* SPDX-License-Identifier: Apache-2.0 */
/* The main numbers of each result, in a sentence. */
#pragma once

#include "cmd/report/types.h"
#include "show/page/page.h"

/* The verdict on all, an item for each result, and how many are complete or have warnings. */
void report_summary(struct page *to, const struct report *r);
