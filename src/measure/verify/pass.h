/* SPDX-License-Identifier: Apache-2.0 */
/* Sends the messages of a round one by one, outside the timed part. */
#ifndef NETBENCH_MEASURE_VERIFY_PASS_H
#define NETBENCH_MEASURE_VERIFY_PASS_H

#include <stdint.h>

struct session;

/*
 * Runs every transfer of one iteration of the session's round `times` times. Each time the messages
 * have new content, which is checked afterwards. Collective. Returns the number of wrong messages,
 * and adds the number of checked messages to *checked. Aborts the job if a transfer fails.
 */
uint64_t verify_one_by_one(struct session *s, uint64_t times, uint64_t *checked);

#endif
