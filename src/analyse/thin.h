/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses, from many points, the few that a picture shows. Pure. */
#ifndef NETBENCH_ANALYSE_THIN_H
#define NETBENCH_ANALYSE_THIN_H

#include <stddef.h>

/* A point: its position x and its value y. */
struct thin_point {
	double x, y;
};

/*
 * Divides n points, sorted by x, into `parts` parts of equal width in x. Keeps the points with the
 * smallest, the median and the largest y of each part. Writes their indices in increasing order to
 * keep[], which needs space for 3 * parts. Returns their number.
 */
size_t thin(const struct thin_point *p, size_t n, size_t parts, size_t *keep);

#endif
