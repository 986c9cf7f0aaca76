/* SPDX-License-Identifier: Apache-2.0 */
/* The text below a picture. */
#ifndef NETBENCH_SHOW_CHART_CAPTION_H
#define NETBENCH_SHOW_CHART_CAPTION_H

#include "show/chart/lines.h"
#include "show/chart/picture.h"

/* Add a plain line, or one with a warning, to a caption. */
#define SAY(pic, ...) lines_add(&(pic)->caption, LINE_PLAIN, __VA_ARGS__)
#define WARN(pic, ...) lines_add(&(pic)->caption, LINE_ALARM, __VA_ARGS__)

/* Fills in the caption. */
void caption_write(struct picture *pic);

/* Says which rows are selected. Adds the first warnings of all runs, and counts the others. */
void caption_selected(struct picture *pic);
void caption_warnings(struct picture *pic);

#endif
