/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of each distance, and their medians. */
#ifndef NETBENCH_SHOW_MAP_DISTANCES_H
#define NETBENCH_SHOW_MAP_DISTANCES_H

#include <jansson.h>
#include <stdio.h>

#include "analyse/map/study/study.h"
#include "result/row.h"

/* A line for each distance. */
void distances_lines(FILE *to, const struct study *s, enum rate_unit rates);

/* A list with an object for each distance, a new reference. */
json_t *distances_json(const struct study *s);

#endif
