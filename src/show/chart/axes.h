/* SPDX-License-Identifier: Apache-2.0 */
/* Scales and ends of axes. Ranges and lines that a user gives: "8:1MiB", "5us=label". */
#ifndef NETBENCH_SHOW_CHART_AXES_H
#define NETBENCH_SHOW_CHART_AXES_H

#include "show/chart/picture.h"

/* Finds the range of the picture's values, and chooses the scale of each axis. */
void axes_find(struct picture *pic);

/* Gives axes with the same column and scale the same ends. */
void axes_share(struct picture *pics, size_t n);

/* Completes the axes after axes_find: ends, the place of 0, and all values if they are few. */
void axes_scale(struct picture *pic);

/* The place of a value on an axis: 0 stands before a break, shares go by nines. */
double axes_place(const struct axis *a, double value);

/* The distance of two places as a share of the axis. */
double axes_share_of(const struct axis *a, double from, double to);

/* A number with its unit, for people: "100 ns", "4 KiB", "17". */
struct text axes_number(double value, const char *unit);

/*
 * Reads the range that an option gives for an axis (NULL: no range). The axis has its column.
 * ST_OK or ST_USAGE (reported).
 */
int axes_limit(struct axis *a, const char *option, const char *text);

/* Reads the lines of --line that fit the picture's axis of y. The axis has its unit. */
void axes_rules(struct picture *pic);

/* Refuses a line that fits no picture of an album. ST_OK, or ST_USAGE (reported). */
int axes_check_rules(const struct album *a, const struct chart_request *ask);

#endif
