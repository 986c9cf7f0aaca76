/* SPDX-License-Identifier: Apache-2.0 */
/* Makes series of points from rows. */
#ifndef NETBENCH_SHOW_CHART_TRACES_H
#define NETBENCH_SHOW_CHART_TRACES_H

#include "show/chart/picture.h"

/*
 * Makes the series from the rows of all files. Counts the rows of each file, or records why it has
 * no series. Returns ST_OK, even without a series; ST_USAGE if the range excludes all samples
 * (reported).
 */
int traces_make(struct picture *pic);

/* Records in run->why why a file adds nothing to a picture. Control characters become '?'. */
void traces_set_reason(struct plot_run *run, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Chooses how a series is drawn. If its time is linear in the size, also computes the curve between
 * its points. On logarithmic scales this is not a straight line. Call it after axes_complete.
 */
void traces_choose_style(const struct picture *pic, struct trace *s);

/*
 * Returns true if the lines between points interpolate the time linearly. Call it after
 * axes_complete.
 */
bool traces_is_by_time(const struct picture *pic);

/*
 * traces_nkeys is the number of keys that can distinguish rows. traces_key_index returns the index
 * of the key of a column, or -1 if the column is not a key.
 */
extern const unsigned traces_nkeys;
int traces_key_index(const char *column);

/*
 * Returns the keys of a series whose bits are set in `keys`, in the legend's words: "8 ranks, load
 * both".
 */
struct text traces_key_words(const struct trace *s, unsigned keys);

/*
 * Returns a text that determines the look of a series: series with equal texts look alike. The text
 * has the file and the label. Series of one preset of window and batch also look alike in the n-th
 * measured file and the n-th computed file.
 */
struct text traces_look_name(const struct picture *pic, const struct trace *s);

/* Labels all series by the keys that distinguish them, except the keys in `without`. */
void traces_set_labels(struct picture *pic, unsigned without);

#endif
