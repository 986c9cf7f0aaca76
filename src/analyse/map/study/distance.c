/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/map/study/distance.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/sort.h"

#define LEAST 6			/* ordered pairs that have something normal */

const char *const distance_names[NDISTANCES] = { "same host", "same switch", "other" };

enum distance distance_of(const struct study *s, uint32_t i, uint32_t j)
{
	return s->machine[i] == s->machine[j] ? SAME_HOST
	       : s->leaf[i] == s->leaf[j]     ? SAME_SWITCH
					      : OTHER_SWITCH;
}

enum distance distance_usual(const struct study *s)
{
	const size_t *n = s->at_distance[s->of[BANDWIDTH].n ? BANDWIDTH
					 : s->of[LATENCY].n ? LATENCY
							    : BIDIRECTIONAL];
	enum distance usual = OTHER_SWITCH;

	for (int d = 0; d < NDISTANCES; d++)
		usual = n[d] > n[usual] ? (enum distance)d : usual;
	return usual;
}

int distance_find(struct study *s)
{
	double *y = malloc(((size_t)s->n * s->n + 1) * sizeof(*y));

	if (!y)
		return error_report("no memory for all pairs of %u hosts", s->n);
	for (int q = 0; q < NQUANTITIES; q++) {
		for (int d = 0; d < NDISTANCES && s->of[q].n; d++) {
			size_t n = 0;

			for (uint32_t i = 0; i < s->n; i++) {
				for (uint32_t j = 0; j < s->n; j++) {
					if (i == j || distance_of(s, i, j) != (enum distance)d)
						continue;
					y[n] = study_y(s, (enum quantity)q, i, j);
					n += !isnan(y[n]);
				}
			}
			s->at_distance[q][d] = n;
			s->median[q][d] = select_median(y, n);
		}
	}
	free(y);
	return ST_OK;
}

size_t distance_pairs(const struct study *s, enum distance d)
{
	size_t n = 0;

	for (int q = 0; q < NQUANTITIES; q++)
		n = s->at_distance[q][d] > n ? s->at_distance[q][d] : n;
	return n;
}

bool distance_is_judged(const struct study *s, enum distance d, size_t pairs)
{
	return d == distance_usual(s) || pairs >= LEAST;
}
