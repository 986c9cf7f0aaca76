/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This rank's part in a spec: a round of its pattern, or its share of a program. The part is built
 * first, then run between two readings of the clock.
 */
#ifndef NETBENCH_MEASURE_PART_H
#define NETBENCH_MEASURE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plan;
struct session;
struct spec;

/*
 * Returns the most bytes of the endpoint's memory that any rank needs for all specs, with messages
 * of at most `len` bytes.
 */
size_t part_memory_size(const struct plan *p, size_t len);

/*
 * Allocates the buffers that this rank needs for all specs. Sets *timed to whether the time of this
 * rank counts in any spec. Returns ST_OK, or ST_FAILED (reported).
 */
int part_open(struct session *s, size_t len, bool *timed);
void part_close(struct session *s);

/*
 * Builds this rank's part in a spec, with rounds of `loops` iterations. Aborts the job if memory
 * runs out.
 */
void part_build(struct session *s, const struct spec *spec, uint64_t loops);

/*
 * Allocates a time stamp for each iteration, on rank 0 only, or on every rank if `each`. Touches
 * the memory before the clock runs.
 */
void part_alloc_stamps(struct session *s, uint64_t loops, bool each);

/* Tells this rank's watchdog that a round of `count` iterations begins. */
void part_announce_round(struct session *s, uint64_t count);

/*
 * Runs the part after all ranks have called this function. Returns the time of the part on this
 * rank, s. If `late_s` is not NULL, ranks start as --sync says, and the time counts from the common
 * start. *late_s is then the delay of this rank after the common start. Aborts the job if a
 * transfer fails. If a peer is lost, sets part->lost instead.
 */
double part_run(struct session *s, double *late_s);

#endif
