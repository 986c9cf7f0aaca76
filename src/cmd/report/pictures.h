/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures that a page begins with; HTML only. */
#ifndef NETBENCH_CMD_REPORT_PICTURES_H
#define NETBENCH_CMD_REPORT_PICTURES_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/* Draws each figure below the numbers of its results, or writes why it could not be drawn. */
void report_pictures(struct page *to, const struct report *r);

#endif
