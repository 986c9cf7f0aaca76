/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what lost.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_LOST_H
#define NETBENCH_BACKENDS_VERBS_LOST_H

#include "backends/verbs/types.h"

/* Marks the peers that the round needs, before it is armed. ST_OK, or ST_LOST if one is gone. */
int verbs_begin_round(struct verbs *v, const struct round *r);

/* Counts a peer as lost and prints a note. -1 if the round needs it, else 0. */
int verbs_lose(struct verbs *v, struct verbs_peer *p, const char *why);

/* Cleans up after a round that has lost a peer. ST_LOST, or ST_FAILED (reported). */
int verbs_forget_round(struct verbs *v);

/* The peer at the other end of the queue pair with this number, or NULL. */
struct verbs_peer *verbs_peer_of(const struct verbs *v, uint32_t qp_num);

#endif
