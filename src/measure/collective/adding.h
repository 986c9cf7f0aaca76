/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the cost of adding vectors, which is c of COLLECTIVES.md section 3. */
#ifndef NETBENCH_MEASURE_COLLECTIVE_ADDING_H
#define NETBENCH_MEASURE_COLLECTIVE_ADDING_H

#include <stdbool.h>

struct session;

/*
 * Measures the time in which a rank adds one byte of a vector to another, s; with `max`, the time
 * in which it takes the larger elements. All ranks do so at the same time. The vectors fit into the
 * cache. Returns, on rank 0, the largest of the ranks' medians. Collective. Aborts the job if
 * memory runs out.
 */
double adding_measure(struct session *s, bool max);

#endif
