/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the samples that a run stored (--samples). */
#ifndef NETBENCH_SHOW_CHART_SAMPLES_H
#define NETBENCH_SHOW_CHART_SAMPLES_H

#include "show/chart/picture.h"

/*
 * Chooses the columns of a picture of samples. Returns ST_OK, or ST_USAGE if a column lacks samples
 * (reported).
 */
int samples_choose_columns(struct picture *pic);

/*
 * samples_column returns the column of the samples. samples_title returns the picture's title for
 * the heading.
 */
const char *samples_column(const struct picture *pic);
struct text samples_title(const struct picture *pic);

/* Returns true if a row has samples of the drawn column. */
bool samples_row_has(const struct picture *pic, const json_t *row);

/* Adds a row's samples to its series, unsorted. */
void samples_add(struct picture *pic, const json_t *row, struct trace *s);

/*
 * Returns true if a row has samples that were measured without load, beside those under load.
 * samples_add_quiet adds them to a series, unsorted.
 */
bool samples_row_has_quiet(const struct picture *pic, const json_t *row);
void samples_add_quiet(const json_t *row, struct trace *s);

/*
 * Turns all samples into the points of the picture. Returns ST_OK, or ST_USAGE if the range
 * excludes all samples (reported).
 */
int samples_make_points(struct picture *pic);

/* Explains the samples in the caption. */
void samples_add_caption(struct picture *pic);

#endif
