/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `verbs`: what verbs.c does for its other files. */
#ifndef NETBENCH_BACKENDS_VERBS_VERBS_H
#define NETBENCH_BACKENDS_VERBS_VERBS_H

#include "backends/verbs/types.h"

/* Posts up to n of the round's receives from p, in order. ST_OK or ST_FAILED. */
int verbs_post_recvs(struct verbs *v, struct verbs_peer *p, uint64_t n);

/* Takes completions until all sends to p are complete and none is left. ST_OK or ST_FAILED. */
int verbs_drain(struct verbs *v, const struct verbs_peer *p);

/*
 * Waits a moment after a poll that found nothing, longer after many of them. 0, or -1 after
 * reporting that no completion will come any more.
 */
int verbs_idle(struct verbs *v, struct ibv_cq *cq);

/* Takes the completions of rounds that have come; *any: some have. ST_OK or ST_FAILED. */
int verbs_take_all(struct verbs *v, bool *any);

/*
 * Reports a completion with an error: -1. CAP_LOSS: loses the peer instead; 0 if the round does not
 * need it.
 */
int verbs_completion_failed(struct verbs *v, const struct ibv_wc *wc, int peer, const char *what);

/* Reports that posting to a peer failed, or loses it (CAP_LOSS). ST_FAILED. */
int verbs_post_failed(struct verbs *v, struct verbs_peer *p, const char *what, int err);

#endif
