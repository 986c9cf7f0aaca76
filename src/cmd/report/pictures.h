/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures that a page begins with; HTML only. */
#ifndef NETBENCH_CMD_REPORT_PICTURES_H
#define NETBENCH_CMD_REPORT_PICTURES_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/* Draws the figures, as far as they can be drawn. ST_OK, or ST_FAILED (reported). */
int report_draw(struct report *r);

void report_free_figures(struct report *r);

/* Each figure with the numbers of its results, or why it is not there. */
void report_pictures(struct page *to, const struct report *r);

#endif
