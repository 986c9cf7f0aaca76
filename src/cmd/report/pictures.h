/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures at the begin of a page; only in HTML. */
#ifndef NETBENCH_CMD_REPORT_PICTURES_H
#define NETBENCH_CMD_REPORT_PICTURES_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/*
 * Draws a picture below the numbers of the results it shows, or writes why it could not be drawn.
 */
void report_pictures(struct page *to, const struct report *r);

#endif
