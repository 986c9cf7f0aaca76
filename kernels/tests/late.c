/* SPDX-License-Identifier: Apache-2.0 */
/* An image over AuroraFlow. Port 0 has no clock until its status has been read READS times. */
#include "aurora.h"
#include "unit.h"

#define READS 60

static uint32_t status_of(unsigned port)
{
	static _Atomic unsigned reads;

	return port == 0 && reads++ < READS ? AURORA_POWERED | AURORA_CLOCK_LOST : AURORA_STATUS_OK;
}

#define STATUS(port) status_of(port)
#define COUNTED(port, offset) 0
#include "aurora.c"
