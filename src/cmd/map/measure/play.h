/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that play at the same time, and hosts that stop answering. */
#ifndef NETBENCH_CMD_MAP_MEASURE_PLAY_H
#define NETBENCH_CMD_MAP_MEASURE_PLAY_H

#include "cmd/map/measure/mapping.h"

/* Rank 0's `len` bytes to all, however many. Collective. */
void bcast_long(struct session *s, void *buf, size_t len);

/*
 * Both directions of some meetings at the same time, in either order; there is one of what is
 * symmetric. Fills them on rank 0: NaN where there is no value, or the two have lost each other.
 * A rank other than 0 may leave out meetings of others. False if the run is over. Collective.
 */
bool play_both(struct mapping *m, enum quantity q, struct encounter *at, size_t n, bool back_first);

/* The same of all meetings of a round, as many at a time as m->at_once says. */
bool play_round(struct mapping *m, enum quantity q, struct encounter *at, size_t n,
		bool back_first);

/*
 * CAP_LOSS: tells all ranks which hosts are out from now on, by what rank 0 has seen in these
 * meetings. Collective.
 */
void play_agree(struct mapping *m, const struct encounter *at, size_t n);

#endif
