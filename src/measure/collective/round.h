/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds one rank's round of a collective operation from the schedule of its place
 * (model/schedule/), and allocates the round's memory.
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

/*
 * Bytes that place 0 needs for each vector (`len`) and for all vectors (`all`). No place needs
 * more.
 */
struct footprint {
	uint64_t len[VECTORS], all;
};
struct footprint collective_footprint(const struct collective *c);

/* An operation that needs more than this many bytes on a rank is not measured. */
#define COLLECTIVE_MOST (256U << 20)

/*
 * Limits of cold caches. Operations of a block have different buffers of at most COLD_MOST bytes
 * together, so a block has collective_max_loops operations at most. Before each block, the ranks of
 * a machine write to twice the size of its largest cache, but to FLUSH_MOST bytes a rank at most.
 */
#define COLD_MOST (64U << 20)
#define FLUSH_MOST (256U << 20)

/* Returns how many operations of a spec a block may have. */
uint64_t collective_max_loops(const struct collective *c);

/*
 * Copies this rank's inputs to the buffers of all operations of the round. If the round gives
 * samples, also removes the buffers from the caches. Does nothing unless caches have to be cold.
 */
void collective_cool(struct session *s, const struct collective *c);

/* Returns the memory of the result of the round's last operation on this rank. */
unsigned char *collective_last_result(const struct session *s);

/*
 * Returns the most bytes of the endpoint's memory that any rank needs for the plan's collective
 * operations.
 */
size_t collective_memory_size(const struct plan *p);

/*
 * Allocates the vectors for the largest operation of the plan. If the backend has less memory,
 * allocates them for the largest operation that fits. Returns ST_OK or ST_FAILED (reported).
 */
int collective_open(struct session *s);
void collective_close(struct session *s);

/* Returns the set of the transport's own operations that are used; bit i is operation i. */
unsigned collective_natives(const struct collective *c);

/* Returns this rank's place in the session's current block. */
uint32_t collective_place(const struct session *s, const struct collective *c);

/*
 * Builds this rank's round. With `head`, a barrier precedes each operation. A native operation uses
 * the transport's own barrier if there is one. In all other cases the barrier is a dissemination
 * barrier. Aborts the job if memory runs out.
 */
void collective_build(struct session *s, const struct collective *c, uint64_t loops, bool head);

#endif
