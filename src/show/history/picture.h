/* SPDX-License-Identifier: Apache-2.0 */
/* The trends of a history as a picture: a panel for each series, its points over the days. */
#ifndef NETBENCH_SHOW_HISTORY_PICTURE_H
#define NETBENCH_SHOW_HISTORY_PICTURE_H

#include "analyse/history/curves.h"

#define TREND_PANELS 6 /* the most series of a picture */

/*
 * Draws the curves of up to TREND_PANELS series as an element <svg>, for free(): the cost of each
 * night with its least and its largest run, and a line at the median between changes. Names of its
 * parts begin with `prefix`. ST_OK; ST_NO_VERDICT if there is nothing to draw; ST_UNAVAILABLE
 * without gnuplot; ST_FAILED (reported).
 */
int trend_draw(const struct curves *all, const char *prefix, char **svg);

#endif
