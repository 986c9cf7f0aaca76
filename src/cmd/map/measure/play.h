/* SPDX-License-Identifier: Apache-2.0 */
/* Measures pairs at the same time, and excludes hosts that stop answering. */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAY_H
#define NETBENCH_CMD_MAP_MEASURE_PLAY_H

#include "cmd/map/measure/mapping.h"

/* Returns the rank of a host, given its number. */
int host_rank(const struct mapping *m, uint32_t host);

/* Returns whether a host is excluded ("out") because it stopped answering. */
bool host_is_out(const struct mapping *m, uint32_t host);

/*
 * Returns whether this rank must know all pairs of a round. Rank 0 must, because it stores all
 * values. For other ranks see others_need_all_pairs.
 */
bool rank_needs_all_pairs(const struct mapping *m);

/*
 * Returns whether ranks other than 0 must know all pairs of a round. They must if not all pairs are
 * measured at the same time, or if hosts are out. Otherwise each rank gets only its own pair. With
 * many ranks this is faster and takes less memory.
 */
bool others_need_all_pairs(const struct mapping *m);

/*
 * Allocates room for the pairs that this rank must know, unless there is enough room. Aborts the
 * job without memory.
 */
void pairs_make_room(struct mapping *m);
void pairs_free_room(struct mapping *m);

/* Sends `len` bytes from rank 0 to all ranks; `len` has no limit. Collective. */
void broadcast_long(struct session *s, void *buf, size_t len);

/*
 * Measures n pairs at the same time, first in one direction, then in the other. A symmetric
 * quantity is measured once. If `back_first`, j sends first. Rank 0 gets the values in `at`; NaN
 * means that there is no value, or that the two ranks have lost each other. On other ranks `at` may
 * lack the pairs of other ranks. Returns false if the run is over. Collective.
 */
bool map_measure_pairs(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first);

/*
 * Measures all pairs of a round as map_measure_pairs does, but at most m->at_once[q] pairs at a
 * time.
 */
bool map_measure_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first);

/*
 * Rank 0 determines from these pairs which hosts are out from now on, and informs all ranks. Only
 * for backends with CAP_LOSS. Collective.
 */
void agree_hosts_out(struct mapping *m, const struct encounter *at, size_t n);

#endif
