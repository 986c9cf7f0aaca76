/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image over AuroraFlow whose ports have counted before. When send_0 has sent some chunks, port 0 has three soft errors, at which
 * their counter wraps, and a full receiving FIFO more, and much later it loses a chunk. Each chunk fills the FIFOs to send.
 */
#include "aurora.h"
#include "unit.h"

#define AFTER 1000	/* chunks: more than the tests of links send */
#define LOST 100000

static _Atomic unsigned chunks;	/* by send_0 */

static uint32_t counted(unsigned port, uint32_t offset)
{
	uint32_t more = chunks > AFTER;

	if (offset == AURORA_TX_FULL)
		return chunks;
	if (port == 0 && offset == AURORA_SOFT_ERRORS)
		return UINT32_MAX - 1 + 3 * more;
	return port == 0 && offset == AURORA_RX_FULL ? 7 + more : 5;
}

static void noisy_write(struct unit *u, struct port *p, const void *chunk, size_t width, bool last)
{
	if (u->pair == 0 && p == &u->lanes[0] && ++chunks == LOST)
		return;
	unit_write(u, p, chunk, width, last);
}

#define STATUS(port) AURORA_STATUS_OK
#define COUNTED(port, offset) counted(port, offset)
#define unit_write noisy_write
#include "aurora.c"
