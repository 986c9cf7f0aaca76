/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the text below a picture. */
#ifndef NETBENCH_SHOW_CHART_CAPTION_H
#define NETBENCH_SHOW_CHART_CAPTION_H

#include "show/chart/lines.h"
#include "show/chart/picture.h"

/* SAY adds a plain line to a caption, WARN a line with a warning. */
#define SAY(pic, ...) lines_add(&(pic)->caption, LINE_PLAIN, __VA_ARGS__)
#define WARN(pic, ...) lines_add(&(pic)->caption, LINE_ALARM, __VA_ARGS__)

/* Writes the caption of a picture with series. */
void caption_write(struct picture *pic);

/*
 * caption_add_conditions adds the conditions of --where. caption_add_warnings adds the first
 * warnings of all files, and the number of remaining warnings.
 */
void caption_add_conditions(struct picture *pic);
void caption_add_warnings(struct picture *pic);

#endif
