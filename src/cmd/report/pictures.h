/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures that a page begins with; HTML only. */
#ifndef NETBENCH_CMD_REPORT_PICTURES_H
#define NETBENCH_CMD_REPORT_PICTURES_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/* Draws the figures, each under the numbers of its results; or says why one is not there. */
void report_pictures(struct page *to, const struct report *r);

#endif
