/* SPDX-License-Identifier: Apache-2.0 */
/* Content of messages around a round: filled in before, checked after, both outside the clock. */
#ifndef NETBENCH_MEASURE_VERIFY_VERIFY_H
#define NETBENCH_MEASURE_VERIFY_VERIFY_H

#include <stdint.h>

#include "transport/xfer.h"

struct session;

/*
 * Fills every buffer that the round sends from with the content of sequence number seq, and
 * overwrites every buffer that it receives into. Where the round lists each message (each.h), the
 * content is of the message's own number, too.
 */
void verify_prepare(const struct session *s, const struct round *r, uint64_t seq);

/*
 * The same for a few words of every buffer (content_stamp). Called before the timed round, once an
 * untimed iteration has left buffers and caches as iterations leave them.
 */
void verify_stamp(const struct session *s, const struct round *r, uint64_t stamp);

/*
 * Checks every buffer that the round has received into: filled with seq, then stamped (the same
 * number: not stamped). Returns the number of wrong messages; adds those checked to *checked.
 */
uint64_t verify_check(const struct session *s, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked);

/*
 * Runs the session's round by message operations, verifies each message when it has arrived, and
 * leaves the numbers of those checked and wrong in part.each. Yields the seconds on the endpoint's
 * clock; the senders write the messages within that time. ST_OK, or ST_FAILED if a message failed
 * (reported).
 */
int verify_run(struct session *s, double *seconds);

#endif
