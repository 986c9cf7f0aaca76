/* SPDX-License-Identifier: Apache-2.0 */
/* Series of points from rows. */
#ifndef NETBENCH_SHOW_CHART_TRACES_H
#define NETBENCH_SHOW_CHART_TRACES_H

#include "show/chart/picture.h"

/*
 * Makes the series from the runs' rows, and counts in the runs what is drawn, or says why nothing
 * is. ST_OK, also without any series; ST_USAGE if no sample is within the range, ST_FAILED without
 * memory (reported).
 */
int traces_make(struct picture *pic);

/* Notes why a file adds nothing to a picture; of what a file says controls become '?'. */
void traces_explain(struct plot_run *run, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Chooses how a series is drawn, and computes the curve between its points if its time is
 * interpolated linearly over the size: on logarithmic scales a straight line would not be the
 * model's. For use after axes_scale. ST_OK, or ST_FAILED (reported).
 */
int traces_style(const struct picture *pic, struct trace *s);

/* True if curves interpolate the time. For use after axes_scale. */
bool traces_is_by_time(const struct picture *pic);

/* How many keys distinguish rows; the number of a column's, -1 if it is none. */
extern const unsigned traces_nkeys;
int traces_key(const char *column);

/* The keys of a series that are bits of `keys`, in the legend's words: "8 ranks, load both". */
struct text traces_words(const struct trace *s, unsigned keys);

/* Names all series by the keys that distinguish them, except the keys `without`. */
void traces_label(struct picture *pic, unsigned without);

#endif
