/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills buffers with content before a round and checks them after the round, both outside the timed
 * part.
 */
#ifndef NETBENCH_MEASURE_VERIFY_VERIFY_H
#define NETBENCH_MEASURE_VERIFY_VERIFY_H

#include <stdint.h>

#include "transport/xfer.h"

struct session;

/*
 * Fills every buffer from which the round sends with the content for sequence number `seq`.
 * Overwrites every buffer into which the round receives. If the round lists each message (each.h),
 * the content also depends on the number of the message.
 */
void verify_prepare(const struct session *s, const struct round *r, uint64_t seq);

/*
 * Like verify_prepare, but only for a few words of every buffer (content_stamp). Call it after an
 * untimed iteration and before the timed round. Buffers and caches are then in the state in which
 * an iteration leaves them.
 */
void verify_stamp(const struct session *s, const struct round *r, uint64_t stamp);

/*
 * Checks every buffer into which the round has received. `seq` is the number given to
 * verify_prepare, `stamp` the number given to verify_stamp. If there was no stamp, both are equal.
 * Returns the number of wrong messages, and adds the number of checked messages to *checked.
 */
uint64_t verify_check(const struct session *s, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked);

/*
 * Runs the session's round with message operations and verifies each message when it arrives.
 * Stores the numbers of checked and of wrong messages in part.each. *seconds is the time on the
 * endpoint's clock, which includes writing the content of the messages. Returns ST_OK, or ST_FAILED
 * if a message failed (reported).
 */
int verify_timed_round(struct session *s, double *seconds);

#endif
