/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the scales and ends of axes. Reads the ranges and lines that a user gives: "8:1MiB",
 * "5us=label".
 */
#ifndef NETBENCH_SHOW_CHART_AXES_H
#define NETBENCH_SHOW_CHART_AXES_H

#include "show/chart/picture.h"

/* Finds the range of the picture's values, and chooses the scale of each axis. */
void axes_find_ranges(struct picture *pic);

/* Gives equal ends to all axes that have the same column and scale. */
void axes_share_ends(struct picture *pics, size_t n);

/*
 * Completes the axes. Sets their ends and the position of 0. Lists the values of x if they are few.
 * Call it after axes_find_ranges.
 */
void axes_complete(struct picture *pic);

/*
 * Returns the coordinate of a value on an axis. On a broken axis 0 is placed before the break. On
 * an axis of SCALE_NINES a share p becomes -log10(1 - p).
 */
double axes_coordinate(const struct axis *a, double value);

/* Returns the distance from one coordinate to another as a share of the axis. */
double axes_distance_share(const struct axis *a, double from, double to);

/* Writes a number with its unit for people: "100 ns", "4 KiB", "17". */
struct text axes_format_number(double value, const char *unit);

/*
 * Reads the range of an axis from `text`, the value of an option. NULL means no range. a->column
 * and a->unit must be set. Returns ST_OK or ST_USAGE (reported).
 */
int axes_read_range(struct axis *a, const char *option, const char *text);

/*
 * Reads the values of --line whose unit is the unit of the picture's y axis. pic->y.unit must be
 * set.
 */
void axes_read_lines(struct picture *pic);

/*
 * Checks that the unit of each value of --line fits some picture of the album. Returns ST_OK, or
 * ST_USAGE (reported).
 */
int axes_check_lines(const struct album *a, const struct chart_request *ask);

#endif
