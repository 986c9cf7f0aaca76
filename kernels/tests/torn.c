/* SPDX-License-Identifier: Apache-2.0 */
/* An image over AuroraFlow. Lanes 2 and 3 of its port 1 are down. */
#include "aurora.h"

#define STATUS(port) (AURORA_STATUS_OK & \
		      ~((port) == 1 ? 0xc * AURORA_LANE_UP | AURORA_CHANNEL_UP : 0))
#define COUNTED(port, offset) 0
#include "aurora.c"
