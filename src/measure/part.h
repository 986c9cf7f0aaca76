/* SPDX-License-Identifier: Apache-2.0 */
/*
 * This rank's part in a spec: a round of its pattern, or what it plays by messages; built, and done
 * once between two readings of the clock.
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
 * Bytes of the endpoint's memory that any rank needs at most for all specs, for messages of `len`
 * bytes at most.
 */
size_t part_heap(const struct plan *p, size_t len);

/*
 * Allocates the buffers that this rank needs for all specs. *timed says whether its clock counts in
 * any of them. ST_OK, or ST_FAILED (reported).
 */
int part_open(struct session *s, size_t len, bool *timed);
void part_close(struct session *s);

/* Builds this rank's part in a spec; aborts the job without memory. */
void part_build(struct session *s, const struct spec *spec, uint64_t loops);

/* Room for a stamp per iteration, on rank 0 or on each, touched before the clock runs. */
void part_make_stamps(struct session *s, uint64_t loops, bool each);

/* Tells this rank's watchdog how many iterations begin. */
void part_begin(struct session *s, uint64_t count);

/*
 * Does it, after all ranks have come here; returns its time, s. With `late_s` they start as --sync
 * says, and the time counts from the common start. Aborts the job if a transfer fails, unless a
 * peer is lost: part->lost.
 */
double part_run(struct session *s, double *late_s);

#endif
