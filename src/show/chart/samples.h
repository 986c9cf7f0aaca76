/* SPDX-License-Identifier: Apache-2.0 */
/* Samples that a run has kept (--samples). */
#ifndef NETBENCH_SHOW_CHART_SAMPLES_H
#define NETBENCH_SHOW_CHART_SAMPLES_H

#include "show/chart/picture.h"

/*
 * Chooses the columns of a picture of samples. ST_OK, or ST_USAGE (reported) if there are no
 * samples of it.
 */
int samples_choose(struct picture *pic);

/* The column that the samples are of, and in words what is drawn of them. */
const char *samples_column(const struct picture *pic);
struct text samples_title(const struct picture *pic);

/* True if a row has the samples that are drawn. */
bool samples_has(const struct picture *pic, const json_t *row);

/* Adds a row's samples to its series, as they are. ST_OK, or ST_FAILED (reported). */
int samples_take(struct picture *pic, const json_t *row, struct trace *s);

/* Makes what is drawn of all samples. ST_OK, or ST_USAGE if there is none, ST_FAILED (reported). */
int samples_shape(struct picture *pic);

/* Says in the caption what they are. */
void samples_caption(struct picture *pic);

#endif
