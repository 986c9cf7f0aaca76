/* SPDX-License-Identifier: Apache-2.0 */
/* Draws instants at which events or messages are due. Pure. */
#ifndef NETBENCH_CMD_LOAD_INSTANTS_H
#define NETBENCH_CMD_LOAD_INSTANTS_H

#include <stdbool.h>
#include <stddef.h>

struct rng;

/*
 * Returns a number of instants that is hardly ever exceeded if `expected` are expected in a
 * Poisson process.
 */
size_t instants_room(double expected);

/*
 * Draws instants above 0 and below `end` with this mean gap, in the same unit. If `periodic`, all
 * gaps are equal. Otherwise the instants are a Poisson process. Writes at most `room` instants to
 * `at` and returns their number.
 */
size_t instants_draw(struct rng *rng, double gap, double end, bool periodic, double *at,
		     size_t room);

#endif
