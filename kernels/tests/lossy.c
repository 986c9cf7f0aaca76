/* SPDX-License-Identifier: Apache-2.0 */
/* An image whose pair 1 loses one of LOST_EVERY chunks on lane 0. */
#include "unit.h"

#define LOST_EVERY 1000

static void lossy_write(struct unit *u, struct port *p, const void *chunk, size_t width, bool last)
{
	static unsigned n;

	if (u->pair == 1 && p == &u->lanes[0] && ++n % LOST_EVERY == 0)
		return;
	unit_write(u, p, chunk, width, last);
}

#define unit_write lossy_write
#include "beff_emulated.c"
