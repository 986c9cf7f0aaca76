/* SPDX-License-Identifier: Apache-2.0 */
/* Scales of axes; their ends, and lines across, as a user gives them: "8:1MiB", "5us=label". */
#ifndef NETBENCH_SHOW_CHART_AXES_H
#define NETBENCH_SHOW_CHART_AXES_H

#include "show/chart/picture.h"

/* Finds the range of the picture's values, and which scale suits each axis. */
void axes_find(struct picture *pic);

/* Gives axes of pictures that have the same column and scale the same ends. */
void axes_share(struct picture *pics, size_t n);

/* Completes what axes_find began: ends, the place of 0, all values if they are few. */
void axes_scale(struct picture *pic);

/* Where a value is drawn on an axis in its own measure: before a break, by nines. */
double axes_place(const struct axis *a, double value);

/* The distance of two places as a share of the axis. */
double axes_share_of(const struct axis *a, double from, double to);

/* A number with its unit, for people: "100 ns", "4 KiB", "17". */
struct text axes_number(double value, const char *unit);

/*
 * Reads the range that an option has given for an axis, whose column is known; NULL: none. ST_OK,
 * ST_USAGE or ST_FAILED (reported).
 */
int axes_limit(struct axis *a, const char *option, const char *text);

/*
 * Reads the lines that are asked for and fit the picture's axis of y, whose unit is known. ST_OK,
 * ST_USAGE if one is no value, ST_FAILED (reported).
 */
int axes_rules(struct picture *pic);

/* Refuses a line that fits no picture of an album. ST_OK, or ST_USAGE (reported). */
int axes_check_rules(const struct album *a, const struct chart_request *ask);

#endif
