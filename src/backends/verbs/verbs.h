/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: the functions of verbs.c that its other files call. */
#ifndef NETBENCH_BACKENDS_VERBS_VERBS_H
#define NETBENCH_BACKENDS_VERBS_VERBS_H

#include "backends/verbs/types.h"

/*
 * Posts at most n of the round's receives from p, in the round's order. Returns ST_OK or ST_FAILED.
 */
int verbs_post_recvs(struct verbs *v, struct verbs_peer *p, uint64_t n);

/*
 * Handles completions until all sends to p are complete and the queue is empty. Returns ST_OK or
 * ST_FAILED.
 */
int verbs_drain(struct verbs *v, const struct verbs_peer *p);

/*
 * Call this function after a poll that found nothing. It waits for a moment, and longer after many
 * polls that found nothing. Returns 0, or -1 after reporting that no more completions will come.
 */
int verbs_wait_briefly(struct verbs *v, struct ibv_cq *cq);

/*
 * Handles all completions in the queue for rounds. Sets *any to true if there were completions,
 * else to false. Returns ST_OK or ST_FAILED.
 */
int verbs_handle_completions(struct verbs *v, bool *any);

/*
 * Handles a completion with an error. Without CAP_LOSS, reports it and returns -1. With CAP_LOSS,
 * marks the peer as lost, and returns -1 if the round needs the peer, else 0.
 */
int verbs_completion_error(struct verbs *v, const struct ibv_wc *wc, int peer, const char *what);

/*
 * Handles a failure to post a work request to a peer. Reports it or, with CAP_LOSS, marks the peer
 * as lost. Returns ST_FAILED.
 */
int verbs_handle_failed_post(struct verbs *v, struct verbs_peer *p, const char *what, int err);

#endif
