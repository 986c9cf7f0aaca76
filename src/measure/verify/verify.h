/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills and checks the content of messages before and after a round, both outside the timed part.
 */
#ifndef NETBENCH_MEASURE_VERIFY_VERIFY_H
#define NETBENCH_MEASURE_VERIFY_VERIFY_H

#include <stdint.h>

#include "transport/xfer.h"

struct session;

/*
 * Fills every buffer that the round sends from with the content of sequence number seq, and
 * overwrites every buffer that it receives into. If the round lists each message (each.h), the
 * content also depends on the message's own number.
 */
void verify_prepare(const struct session *s, const struct round *r, uint64_t seq);

/*
 * Does the same for a few words of every buffer (content_stamp). It is called before the timed
 * round, after an untimed iteration: buffers and caches are then in the state that an iteration
 * leaves.
 */
void verify_stamp(const struct session *s, const struct round *r, uint64_t stamp);

/*
 * Checks every buffer that the round has received into. It was filled with seq, and then stamped,
 * unless both numbers are the same. Returns the number of wrong messages; adds the number checked
 * to *checked.
 */
uint64_t verify_check(const struct session *s, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked);

/*
 * Runs the session's round by message operations and verifies each message when it arrives.
 * part.each gets the numbers of messages checked and wrong. *seconds is the time on the endpoint's
 * clock, which includes writing the messages' content. Returns ST_OK, or ST_FAILED if a message
 * failed (reported).
 */
int verify_timed_round(struct session *s, double *seconds);

#endif
