/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a point is on this rank: a round of its pattern, or its part in a farm; built, and done once between two
 * readings of the clock.
 */
#ifndef NETBENCH_MEASURE_SHAPE_H
#define NETBENCH_MEASURE_SHAPE_H

#include "measure/bench.h"

/* A point's pattern. */
const struct pattern *shape_pattern(const struct benchmark *what, const struct point *pt);

/* Bytes of the endpoint's memory that any rank needs at most for all points, for messages of `len` bytes at most. */
size_t shape_heap(const struct run *run, int size, size_t len);

/* Allocates the buffers that this rank needs for all points. ST_OK, or ST_FAILED (reported). */
int shape_open(struct bench *b, size_t len);
void shape_close(struct bench *b);

/* Builds this rank's part in a point; aborts the job without memory. */
void shape_build(struct bench *b, const struct point *pt, uint64_t loops);

/*
 * Does it, after all ranks have come here; yields its time. With `late_s` they start as --sync says, and the time counts
 * from the common start. Aborts the job if a transfer fails.
 */
double shape_run(struct bench *b, double *late_s);

/*
 * In virtual time every iteration is like the other: no more than a few without being asked to, of `most`, and the fewer the
 * more messages each has; of farms, which take a while until their pace is steady, more.
 */
uint64_t shape_virtual_loops(const struct benchmark *what, const struct point *pt, int size, uint64_t most);

#endif
