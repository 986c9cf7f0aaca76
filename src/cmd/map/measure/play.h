/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that play at the same time, and hosts that stop answering. */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAY_H
#define NETBENCH_CMD_MAP_MEASURE_PLAY_H

#include "cmd/map/measure/mapping.h"

/* The rank of a host. */
int play_rank(const struct mapping *m, uint32_t host);

/* True if a host has stopped answering. */
bool play_is_out(const struct mapping *m, uint32_t host);

/*
 * Rank 0 keeps all values, so it has to know all meetings. Other ranks have to if some pairs meet
 * after others, or hosts are out. Else their own meeting is enough, which is faster for many ranks,
 * and takes no memory for the others.
 */
bool play_needs_all(const struct mapping *m);
bool play_others_need_all(const struct mapping *m);

/* Makes room for the meetings that this rank needs, unless it is there. Aborts without memory. */
void play_make_room(struct mapping *m);
void play_free_room(struct mapping *m);

/* Sends rank 0's `len` bytes to all ranks; `len` has no limit. Collective. */
void bcast_long(struct session *s, void *buf, size_t len);

/*
 * Measures both directions of some meetings, the meetings at the same time, in either order; a
 * symmetric quantity once. Fills them in on rank 0: NaN without a value, or if the two have lost
 * each other. A rank other than 0 may leave out meetings of others. False if the run is over.
 * Collective.
 */
bool play_both(struct mapping *m, enum quantity q, struct encounter *at, size_t n, bool back_first);

/* The same for all meetings of a round, m->at_once at a time. */
bool play_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		bool back_first);

/*
 * CAP_LOSS: rank 0 finds out from these meetings which hosts are out from now on, and tells all
 * ranks. Collective.
 */
void play_agree(struct mapping *m, const struct encounter *at, size_t n);

#endif
