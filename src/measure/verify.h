/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content of messages around a round: what is sent is filled in before, what has come is checked after,
 * both outside the clock.
 */
#ifndef NETBENCH_MEASURE_VERIFY_H
#define NETBENCH_MEASURE_VERIFY_H

#include <stdint.h>

#include "transport/xfer.h"

struct session;

/*
 * Fills every buffer that the round sends from with the content of sequence number seq, and overwrites
 * every buffer that it receives into.
 */
void verify_prepare(const struct session *s, const struct round *r, uint64_t seq);

/*
 * The same for a few words of every buffer alone (content_stamp), between an untimed iteration that has left
 * all buffers and caches as iterations leave them, and the timed round.
 */
void verify_stamp(const struct session *s, const struct round *r, uint64_t stamp);

/*
 * Checks every buffer that the round has received into: filled with seq, then stamped (the same number: not
 * stamped). Returns the number of wrong messages; *checked
 * grows by those looked at.
 */
uint64_t verify_check(const struct session *s, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked);

/*
 * Message by message: every transfer of one iteration of the session's round, `times` times, each with new content
 * and checked by itself. Collective. Returns as verify_check, or aborts the job if a transfer fails.
 */
uint64_t verify_each(struct session *s, uint64_t times, uint64_t *checked);

#endif
