/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the pictures at the top of a page. Only HTML pages have pictures. */
#ifndef NETBENCH_CMD_REPORT_PICTURES_H
#define NETBENCH_CMD_REPORT_PICTURES_H

#include "cmd/report/types.h"
#include "show/page/page.h"

/*
 * Draws each picture below the numbers of the results that it shows. If a picture cannot be drawn,
 * writes the reason.
 */
void report_pictures(struct page *to, const struct report *r);

#endif
