/* SPDX-License-Identifier: Apache-2.0 */
/* Measures pairs at the same time, and excludes hosts that stop answering. */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAY_H
#define NETBENCH_CMD_MAP_MEASURE_PLAY_H

#include "cmd/map/measure/mapping.h"

/* The rank of a host number. */
int host_rank(const struct mapping *m, uint32_t host);

/* Whether a host is out because it stopped answering. */
bool host_is_out(const struct mapping *m, uint32_t host);

/*
 * Whether this rank must know all pairs of a round. Rank 0 must, because it keeps all values. For
 * other ranks see others_need_all_pairs.
 */
bool rank_needs_all_pairs(const struct mapping *m);

/*
 * Whether ranks other than 0 must know all pairs of a round. They must if some pairs are measured
 * after others, or if hosts are out. Otherwise a rank needs only its own pair, which is faster with
 * many ranks and takes less memory.
 */
bool others_need_all_pairs(const struct mapping *m);

/*
 * Allocates room for the pairs that this rank must know, unless there is enough. Aborts without
 * memory.
 */
void pairs_make_room(struct mapping *m);
void pairs_free_room(struct mapping *m);

/* Sends `len` bytes from rank 0 to all ranks; `len` has no limit. Collective. */
void broadcast_long(struct session *s, void *buf, size_t len);

/*
 * Measures n pairs at the same time, first in one direction, then in the other (a symmetric
 * quantity once). If `back_first`, j sends first. Rank 0 gets the values in `at`: NaN without a
 * value, or if the two ranks have lost each other. Other ranks may omit pairs of others. False if
 * the run is over. Collective.
 */
bool map_measure_pairs(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first);

/* Like map_measure_pairs for all pairs of a round, but at most m->at_once[q] pairs at a time. */
bool map_measure_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		       bool back_first);

/*
 * With CAP_LOSS: rank 0 determines from these pairs which hosts are out from now on, and informs
 * all ranks. Collective.
 */
void agree_hosts_out(struct mapping *m, const struct encounter *at, size_t n);

#endif
