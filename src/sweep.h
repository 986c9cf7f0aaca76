/* SPDX-License-Identifier: Apache-2.0 */
/* Between bench.c and run.c: the sweep of one rank, once everything is open. */
#ifndef NETBENCH_SWEEP_H
#define NETBENCH_SWEEP_H

#include "bench.h"

/* In virtual time every iteration is like the other: no more than this without being asked to. */
#define VIRTUAL_LOOPS 64

/*
 * Measures all points on this rank. Collective. Returns the exit status on rank 0 (failed if content was
 * wrong or a sink could not be written), ST_OK on the others; aborts the job if a transfer fails.
 */
int sweep(struct bench *b);

#endif
