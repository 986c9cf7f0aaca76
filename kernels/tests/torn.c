/* SPDX-License-Identifier: Apache-2.0 */
/* An image over AuroraFlow, lanes 2 and 3 of whose port 1 are down. */
#define LANES_DOWN(port) (port == 1 ? 0xcu : 0)
#define COUNTED(port, offset) 0
#include "aurora.c"
