/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a victim of a pair: the first rank of the pair asks, the second answers. */
#ifndef NETBENCH_CMD_LOAD_PAIR_H
#define NETBENCH_CMD_LOAD_PAIR_H

#include <stdint.h>

struct actor;

/*
 * Runs one epoch. An event has `messages` messages and one reply. Returns ST_OK or another ST_*
 * (reported).
 */
int pair_run(struct actor *a, uint32_t messages);

#endif
