/* SPDX-License-Identifier: Apache-2.0 */
/* Series of points from rows. */
#ifndef NETBENCH_SHOW_CHART_TRACES_H
#define NETBENCH_SHOW_CHART_TRACES_H

#include "show/chart/picture.h"

/*
 * Makes the series from the runs' rows. Counts in each run its rows, or notes why it has no series.
 * ST_OK, even without a series; ST_USAGE if the range excludes all samples (reported).
 */
int traces_make(struct picture *pic);

/* Notes why a file adds nothing to a picture. Control characters become '?'. */
void traces_explain(struct plot_run *run, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Chooses how a series is drawn. Computes the curve between its points if its time is linear in the
 * size: on logarithmic scales that is not a straight line. Call it after axes_scale.
 */
void traces_style(const struct picture *pic, struct trace *s);

/* True if curves interpolate the time. Call it after axes_scale. */
bool traces_is_by_time(const struct picture *pic);

/* The number of keys that can distinguish rows; the number of a column's key, -1: no key. */
extern const unsigned traces_nkeys;
int traces_key(const char *column);

/* The keys of a series that are bits of `keys`, in the legend's words: "8 ranks, load both". */
struct text traces_words(const struct trace *s, unsigned keys);

/*
 * What a look goes by: series with the same text look alike. It is file and label; but a preset of
 * window and batch looks alike in the first measured and the first computed file, and so on.
 */
struct text traces_look(const struct picture *pic, const struct trace *s);

/* Names all series by the keys that distinguish them, except the keys `without`. */
void traces_label(struct picture *pic, unsigned without);

#endif
