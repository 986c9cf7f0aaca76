/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `verbs`: the functions of msg.c that its other files call. Hooks are described in
 * backend.h.
 */
#ifndef NETBENCH_BACKENDS_VERBS_MSG_H
#define NETBENCH_BACKENDS_VERBS_MSG_H

#include "backends/verbs/types.h"

/* Creates the buffers and the shared receive queue for messages. Returns an exit status. */
int verbs_open_msgs(struct verbs *v);
/*
 * Frees everything that verbs_open_msgs created, and deregisters memory that message operations
 * registered.
 */
void verbs_close_msgs(struct verbs *v);

/*
 * Handles all completions in the queue for messages. Sets *any to true if there were completions,
 * else to false. Returns ST_OK or ST_FAILED.
 */
int verbs_progress(struct verbs *v, bool *any);

/*
 * Sends p a message without content. Returns ST_OK or ST_FAILED. `kind` is one of these:
 *
 * MSG_READY: this rank's queue pair is ready too.
 * MSG_ARMED: this rank has posted its receives from p for the next round.
 * MSG_DONE:  this rank has finished its reads from p in this round.
 * MSG_ASK:   asks how many datagrams p has sent; verbs_progress stores the answer in p.
 */
int verbs_send_notice(struct verbs *v, struct verbs_peer *p, enum verbs_msg kind);

/*
 * Waits until *count, the number of notices received from a peer (`armed` or `dones`), reaches n.
 * Returns ST_OK or ST_FAILED.
 */
int verbs_await_notices(struct verbs *v, const uint32_t *count, uint32_t n);

/*
 * Posts one receive buffer of `len` bytes on qp, or on the shared receive queue if qp is NULL.
 * Returns ST_OK or ST_FAILED.
 */
int verbs_post_buffer(struct verbs *v, struct ibv_qp *qp, uint64_t id, void *at, uint32_t len,
		      uint32_t lkey);

/*
 * Posts the receive buffers of p's own queue pair. Does nothing if a shared receive queue exists.
 * Returns ST_OK or ST_FAILED.
 */
int verbs_post_own_buffers(struct verbs *v, struct verbs_peer *p);

/* Tells p which buffer of this rank p writes or reads in the round. Returns ST_OK or ST_FAILED. */
int verbs_send_target(struct verbs *v, struct verbs_peer *p, const struct verbs_buffer *x);

/*
 * Waits until p has named a buffer by verbs_send_target. Stores the oldest buffer that p has named
 * in *target, and removes it from the list of these buffers. Returns ST_OK or ST_FAILED.
 */
int verbs_receive_target(struct verbs *v, struct verbs_peer *p, struct verbs_buffer *target);

int verbs_isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r);
int verbs_irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r);
int verbs_test(struct endpoint *ep, struct request *r);
int verbs_wait(struct endpoint *ep, struct request *r);

#endif
