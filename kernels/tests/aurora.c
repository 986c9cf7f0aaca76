/* SPDX-License-Identifier: Apache-2.0 */
/* An image over AuroraFlow. A port is up while its pair of kernels has a cable; others include this and harm it. */
#include "aurora.h"
#include "beff_emulated.c"

/* Lanes that are down although there is a cable; what a counter has. */
#ifndef LANES_DOWN
#define LANES_DOWN(port) 0
#define COUNTED(port, offset) 0
#endif

#define ALL_LANES ((1u << AURORA_LANES) - 1)

register_fn netbench_register;

uint32_t netbench_register(unsigned port, bool wired, uint32_t offset)
{
	uint32_t down = wired ? LANES_DOWN(port) : ALL_LANES;

	if (offset != AURORA_STATUS)
		return COUNTED(port, offset);
	return down ? AURORA_STATUS_OK & ~(down * AURORA_LANE_UP | AURORA_CHANNEL_UP) : AURORA_STATUS_OK;
}
