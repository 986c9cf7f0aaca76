/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: the functions of connect.c that its other files call. */
#ifndef NETBENCH_BACKENDS_VERBS_CONNECT_H
#define NETBENCH_BACKENDS_VERBS_CONNECT_H

#include "backends/verbs/types.h"

/*
 * Creates the queue pair for hellos, the messages with which ranks connect. Call this function
 * before ranks exchange cards. Returns ST_OK or another exit status.
 */
int verbs_open_hello(struct verbs *v);

/*
 * Connects this rank to `peer`. Returns when the queue pairs carry messages both ways. Meanwhile
 * the peer must call this function or verbs_progress. Returns ST_OK or ST_FAILED.
 */
int verbs_connect(struct verbs *v, int peer);

/*
 * Sets which accesses (IBV_ACCESS_REMOTE_...) the other rank of a queue pair has to this rank's
 * memory. Returns ST_OK or ST_FAILED.
 */
int verbs_grant_access(struct verbs *v, struct ibv_qp *qp, unsigned access);

/*
 * Returns the IBV_ACCESS_REMOTE_... flags that rounds need with the operation that `--op` selects.
 */
unsigned verbs_round_access(const struct verbs *v);

/*
 * Resets a UD queue pair, which drops all its work requests. Then makes it ready again. Returns
 * ST_OK or ST_FAILED.
 */
int verbs_reset_datagram_qp(struct verbs *v, struct ibv_qp *qp);

/* Answers the hellos of ranks that want to connect. Returns ST_OK or ST_FAILED. */
int verbs_answer_hellos(struct verbs *v);

/* ---- lost peers ---- */

/*
 * Marks the peers that the round needs. Call this function before the round is armed. Returns
 * ST_OK, or ST_LOST if one of these peers is lost.
 */
int verbs_mark_round_peers(struct verbs *v, const struct round *r);

/* Marks a peer as lost and prints a note. Returns -1 if the round needs the peer, else 0. */
int verbs_mark_lost(struct verbs *v, struct verbs_peer *p, const char *why);

/* Cleans up after a round that lost a peer. Returns ST_LOST, or ST_FAILED (reported). */
int verbs_discard_round(struct verbs *v);

/* Returns the peer whose connection to this rank uses the queue pair with this number, or NULL. */
struct verbs_peer *verbs_peer_of_qp(const struct verbs *v, uint32_t qp_num);

#endif
