/* SPDX-License-Identifier: Apache-2.0 */
/* Which of many points to show. Pure. */
#ifndef NETBENCH_ANALYSE_THIN_H
#define NETBENCH_ANALYSE_THIN_H

#include <stddef.h>

/* A point: where it is, and its value. */
struct thin_point {
	double x, y;
};

/*
 * Divides n points, whose x does not fall, into `parts` parts of equal width in x. Keeps the points
 * with the least, the median and the greatest y of each part. Their numbers rise in `keep`, which
 * has room for 3 * parts. Returns their count.
 */
size_t thin(const struct thin_point *p, size_t n, size_t parts, size_t *keep);

#endif
