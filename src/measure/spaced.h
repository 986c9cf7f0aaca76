/* SPDX-License-Identifier: Apache-2.0 */
/* A round done by message operations, with pauses between its messages: PRTT(n, d, k) of METHODS 1.1. */
#ifndef NETBENCH_MEASURE_SPACED_H
#define NETBENCH_MEASURE_SPACED_H

#include "transport/backend.h"

/*
 * Does a round whose steps have one transfer each, one after the other and each to its end. Between those of a step the
 * processor is occupied for pause_s (0: not at all). Yields the seconds it took on the endpoint's clock less those that the
 * pauses took, which are timed by themselves before: occupying the processor for a time takes a little longer. The endpoint
 * has CAP_MSG and was armed with an empty round. ST_OK, or ST_FAILED if a message failed (reported).
 */
int spaced_run(struct endpoint *ep, const struct round *r, double pause_s, double *seconds);

#endif
