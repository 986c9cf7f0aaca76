/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays a victim of a group in which all victims add a vector together. The algorithm is recursive
 * doubling (COLLECTIVES.md section 1), by message operations. The first victim leads: it decides
 * when an epoch ends.
 */
#ifndef NETBENCH_CMD_LOAD_GROUP_H
#define NETBENCH_CMD_LOAD_GROUP_H

#include <stddef.h>

struct actor;
struct session;

/* Number of buffers that a victim of a group needs. */
#define GROUP_BUFFERS 2

/*
 * Makes the schedule of this rank, with vectors in two buffers of `len` bytes. The actor owns the
 * result. Returns NULL without memory.
 */
struct group *group_open(const struct actor *a, size_t len, void *const *bufs);
void group_close(struct group *g);

/* Runs one epoch. Returns ST_OK or another ST_* (reported). */
int group_run(struct actor *a);

/*
 * Call it after an epoch. Makes the events of the leader last until the last victim has ended them
 * (COLLECTIVES.md 37), by clocks that count from the begin of the epoch. Other victims have no
 * events afterwards. Collective; aborts the job without memory.
 */
void group_join_ends(struct session *s, struct actor *a);

#endif
