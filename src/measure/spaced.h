/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs rounds with message operations and pauses between the messages: PRTT(n, d, k) of METHODS
 * 1.1.
 */
#ifndef NETBENCH_MEASURE_SPACED_H
#define NETBENCH_MEASURE_SPACED_H

#include "transport/backend.h"

/*
 * Runs a round that has one transfer in each step. Each transfer completes before the next begins.
 * Between the transfers of a step, the processor is kept busy for pause_s (0: no pause).
 * *seconds is the time of the round on the endpoint's clock, without the pauses. The pauses are
 * timed separately before the round, because keeping the processor busy takes a little longer than
 * pause_s. The endpoint must have CAP_MSG and be armed with an empty round. Returns ST_OK, or
 * ST_FAILED if a message failed (reported).
 */
int spaced_run(struct endpoint *ep, const struct round *r, double pause_s, double *seconds);

#endif
