/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image over AuroraFlow. A port is up while its pair of kernels has a cable. Other images
 * include this file and add faults.
 */
#include "aurora.h"
#include "beff_emulated.c"

/* The status of a port with a cable, and its counters. */
#ifndef STATUS
#define STATUS(port) AURORA_STATUS_OK
#define COUNTED(port, offset) 0
#endif

#define ALL_LANES (AURORA_LANE_UP * ((1u << AURORA_LANES) - 1))

register_fn netbench_register;

uint32_t netbench_register(unsigned port, bool wired, uint32_t offset, double cycle_s)
{
	(void)port;
	(void)cycle_s;
	if (offset != AURORA_STATUS)
		return COUNTED(port, offset);
	return wired ? STATUS(port) : AURORA_STATUS_OK & ~(ALL_LANES | AURORA_CHANNEL_UP);
}
