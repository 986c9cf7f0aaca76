/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what msg.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_MSG_H
#define NETBENCH_BACKENDS_VERBS_MSG_H

#include "backends/verbs/types.h"

int verbs_open_msgs(struct verbs *v);
void verbs_close_msgs(struct verbs *v);

/* Handles completions of messages; *any: there were some. ST_OK or ST_FAILED. */
int verbs_progress(struct verbs *v, bool *any);

/*
 * Sends p a message without content. ST_OK or ST_FAILED.
 * MSG_READY: the queue pair is ready here as well.
 * MSG_ARMED: the next round's receives from p are posted.
 * MSG_DONE:  this round no longer reads from p.
 * MSG_ASK:   asks how many datagrams p has sent; verbs_progress stores the answer in p.
 */
int verbs_tell(struct verbs *v, struct verbs_peer *p, enum verbs_msg kind);

/* Waits until a peer's count of messages, armed or dones, is n. ST_OK or ST_FAILED. */
int verbs_await(struct verbs *v, const uint32_t *count, uint32_t n);

/* Posts a receive of `len` bytes; qp NULL: of the shared receive queue. ST_OK or ST_FAILED. */
int verbs_post_room(struct verbs *v, struct ibv_qp *qp, uint64_t id, void *at, uint32_t len,
		    uint32_t lkey);

/* Without a shared receive queue: posts the buffers of p's queue pair. ST_OK or ST_FAILED. */
int verbs_feed(struct verbs *v, struct verbs_peer *p);

/* Tells p a place in memory that p writes or reads in the round. ST_OK or ST_FAILED. */
int verbs_tell_target(struct verbs *v, struct verbs_peer *p, const struct verbs_place *x);

/* Waits until p has told such a place, and takes the oldest: *target. ST_OK or ST_FAILED. */
int verbs_take_target(struct verbs *v, struct verbs_peer *p, struct verbs_place *target);

int verbs_isend(struct endpoint *ep, int peer, const void *buf, size_t len, struct request *r);
int verbs_irecv(struct endpoint *ep, int peer, void *buf, size_t len, struct request *r);
int verbs_test(struct endpoint *ep, struct request *r);
int verbs_wait(struct endpoint *ep, struct request *r);

#endif
