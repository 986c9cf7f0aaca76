/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image over AuroraFlow whose counters are not 0 at the start. After send_0 has sent some
 * chunks, port 0 has three more soft errors, at which their counter wraps, and one more full
 * receiving FIFO. Much later it loses a chunk. Each chunk counts as a full sending FIFO.
 */
#include "aurora.h"
#include "unit.h"

#define AFTER 1000	/* chunks; the tests of links send fewer */
#define LOST 100000

static _Atomic unsigned chunks;	/* sent by send_0 */

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
