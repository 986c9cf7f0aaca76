/* SPDX-License-Identifier: Apache-2.0 */
/* Between bench.c and run.c: the sweep of one rank, once everything is open. */
#ifndef NETBENCH_SWEEP_H
#define NETBENCH_SWEEP_H

#include "bench.h"

/*
 * Measures all points on this rank. Collective. Returns the exit status on rank 0 (failed if content was
 * wrong or a sink could not be written), ST_OK on the others; aborts the job if a transfer fails.
 */
int sweep(struct bench *b);

#endif
