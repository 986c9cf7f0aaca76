/* SPDX-License-Identifier: Apache-2.0 */
/* What stands below a picture. */
#ifndef NETBENCH_SHOW_CHART_CAPTION_H
#define NETBENCH_SHOW_CHART_CAPTION_H

#include "show/chart/picture.h"

/* Fills in the caption. ST_OK, or ST_FAILED (reported). */
int caption_write(struct picture *pic);

/* Says which rows are selected; adds the warnings of all runs, or counts them. */
void caption_selected(struct picture *pic);
void caption_warnings(struct picture *pic);

#endif
