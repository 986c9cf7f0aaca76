/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a round one by one, outside the clock. */
#ifndef NETBENCH_MEASURE_VERIFY_PASS_H
#define NETBENCH_MEASURE_VERIFY_PASS_H

#include <stdint.h>

struct session;

/*
 * Runs every transfer of one iteration of the session's round, `times` times, each time with new
 * content that is then checked. Collective. Returns as verify_check; aborts the job if a transfer
 * fails.
 */
uint64_t verify_each(struct session *s, uint64_t times, uint64_t *checked);

#endif
