/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what connect.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_CONNECT_H
#define NETBENCH_BACKENDS_VERBS_CONNECT_H

#include "backends/verbs/types.h"

/* Makes the queue pair for hellos, before ranks exchange cards. ST_OK or an exit status. */
int verbs_meet(struct verbs *v);

/*
 * Connects to `peer`: returns when the queue pairs carry messages both ways. The peer has to call
 * it, too, or verbs_progress. ST_OK or ST_FAILED.
 */
int verbs_connect(struct verbs *v, int peer);

/* Lets the other rank access memory by a queue pair: IBV_ACCESS_REMOTE_... ST_OK or ST_FAILED. */
int verbs_grant(struct verbs *v, struct ibv_qp *qp, unsigned access);

/* The access to memory that the operation of rounds needs. */
unsigned verbs_access(const struct verbs *v);

/* Empties a queue pair of datagrams and makes it ready again. ST_OK or ST_FAILED. */
int verbs_begin_anew(struct verbs *v, struct ibv_qp *qp);

/* Answers ranks that want to connect. ST_OK or ST_FAILED. */
int verbs_answer(struct verbs *v);

/* ---- lost peers ---- */

/* Marks the peers that the round needs, before it is armed. ST_OK, or ST_LOST if one is gone. */
int verbs_begin_round(struct verbs *v, const struct round *r);

/* Counts a peer as lost and prints a note. -1 if the round needs it, else 0. */
int verbs_lose(struct verbs *v, struct verbs_peer *p, const char *why);

/* Cleans up after a round that has lost a peer. ST_LOST, or ST_FAILED (reported). */
int verbs_forget_round(struct verbs *v);

/* The peer at the other end of the queue pair with this number, or NULL. */
struct verbs_peer *verbs_peer_of(const struct verbs *v, uint32_t qp_num);

#endif
