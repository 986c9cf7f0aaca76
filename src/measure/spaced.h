/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds done by message operations with pauses between messages: PRTT(n, d, k) of METHODS 1.1. */
#ifndef NETBENCH_MEASURE_SPACED_H
#define NETBENCH_MEASURE_SPACED_H

#include "transport/backend.h"

/*
 * Does a round with one transfer in each step. Each completes before the next. Between those of a
 * step it occupies the processor for pause_s (0: not at all). Yields the seconds on the endpoint's
 * clock less those of the pauses. These are timed by themselves before, since occupying the
 * processor takes a little longer than asked. The endpoint has CAP_MSG and was armed with an empty
 * round. ST_OK, or ST_FAILED if a message failed (reported).
 */
int spaced_run(struct endpoint *ep, const struct round *r, double pause_s, double *seconds);

#endif
