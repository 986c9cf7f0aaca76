/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of axes and lines across them as a user gives them: "8:1MiB", "100Gbit/s=link". */
#ifndef NETBENCH_SHOW_CHART_RANGE_H
#define NETBENCH_SHOW_CHART_RANGE_H

#include "show/chart/picture.h"

/*
 * Reads the range that an option has given for an axis, whose column is known; NULL: none. ST_OK,
 * ST_USAGE or ST_FAILED (reported).
 */
int range_choose(struct axis *a, const char *option, const char *text);

/* True if a value is outside the range that the user wants. */
bool range_excludes(const struct axis *a, double value);

/*
 * Reads the lines that are asked for and fit the picture's axis of y, whose unit is known. ST_OK,
 * ST_USAGE if one is no value, ST_FAILED (reported).
 */
int range_lines(struct picture *pic);

/* Refuses a line that fits no picture of an album. ST_OK, or ST_USAGE (reported). */
int range_check_lines(const struct album *a, const struct chart_request *ask);

#endif
