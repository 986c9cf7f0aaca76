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

#endif
