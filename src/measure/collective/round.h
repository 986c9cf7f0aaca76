/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank's round of a collective operation, made of its place's schedule (model/schedule/), and the
 * memory that it works in.
 */
#ifndef NETBENCH_MEASURE_COLLECTIVE_ROUND_H
#define NETBENCH_MEASURE_COLLECTIVE_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/plan/spec.h"
#include "model/schedule/schedule.h"

struct plan;
struct session;

/* What place 0, which needs the most, has of each vector, bytes; and of all of them. */
struct footprint {
	uint64_t len[VECTORS], all;
};
struct footprint collective_footprint(const struct collective *c);

/* A rank with more memory than this is not measured, bytes. */
#define COLLECTIVE_MOST (256U << 20)

/* Bytes of the endpoint's memory that any rank needs at most for the plan's operations. */
size_t collective_heap(const struct plan *p);

/*
 * Allocates the vectors, as large as the largest operation of the plan needs, or, if the backend
 * has less, the largest that fits. ST_OK or ST_FAILED (reported).
 */
int collective_open(struct session *s);
void collective_close(struct session *s);

/* This rank's place in the block that the session is at. */
uint32_t collective_place(const struct session *s, const struct collective *c);

/*
 * Builds the round of this rank. With `head` a barrier precedes each operation: a dissemination,
 * or, of a native operation, the transport's own where it has one. Aborts the job without memory.
 */
void collective_build(struct session *s, const struct collective *c, uint64_t loops, bool head);

#endif
