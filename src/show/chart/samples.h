/* SPDX-License-Identifier: Apache-2.0 */
/* Samples that a run has kept (--samples). */
#ifndef NETBENCH_SHOW_CHART_SAMPLES_H
#define NETBENCH_SHOW_CHART_SAMPLES_H

#include "show/chart/picture.h"

/*
 * Chooses the columns of a picture of samples. ST_OK, or ST_USAGE (reported) if they lack samples.
 */
int samples_choose(struct picture *pic);

/* The column of the samples, and the title of their picture. */
const char *samples_column(const struct picture *pic);
struct text samples_title(const struct picture *pic);

/* True if a row has the samples that are drawn. */
bool samples_has(const struct picture *pic, const json_t *row);

/* Adds a row's samples to its series, unsorted. */
void samples_take(struct picture *pic, const json_t *row, struct trace *s);

/*
 * Turns all samples into the points of the picture. ST_OK, or ST_USAGE if the range excludes all
 * (reported).
 */
int samples_shape(struct picture *pic);

/* Explains the samples in the caption. */
void samples_caption(struct picture *pic);

#endif
