/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/instants.h"

#include <math.h>

#include "base/random.h"

size_t instants_room(double expected)
{
	return (size_t)(expected + 10 * sqrt(expected) + 16);
}

size_t instants_draw(struct rng *rng, double gap, double end, bool periodic, double *at,
		     size_t room)
{
	size_t n = 0;

	for (double t = 0; n < room; at[n++] = t) {
		double uniform = (double)(rng_next(rng) >> 11) * 0x1p-53;

		t += periodic ? gap : -gap * log(1 - uniform);
		if (t >= end)
			break;
	}
	return n;
}
