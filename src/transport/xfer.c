/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/xfer.h"

#include <stdlib.h>

void round_reset(struct round *r)
{
	r->nxfers = r->nsteps = 0;
	r->count = 1;
	r->timed = false;
	r->roles = 0;
	r->delay_s = 0;
	r->stamps = NULL;
}

void round_free(struct round *r)
{
	free(r->xfers);
	free(r->steps);
	*r = (struct round){ 0 };
}

/* Makes room for one more element of `size` bytes behind n. */
static int grow(void *array, uint32_t n, uint32_t *room, size_t size)
{
	void **old = array, *more;
	uint32_t want = *room ? 2 * *room : 8;

	if (n < *room)
		return 0;
	more = realloc(*old, want * size);
	if (!more)
		return -1;
	*old = more;
	*room = want;
	return 0;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

int round_step(struct round *r, uint32_t repeat, uint32_t window, uint32_t batch)
{
	struct step *s;

	if (grow(&r->steps, r->nsteps, &r->room_steps, sizeof(*s)))
		return -1;
	s = &r->steps[r->nsteps++];
	s->first = r->nxfers;
	s->n = 0;
	s->repeat = repeat;
	s->window = least(window, repeat);
	s->batch = least(batch, s->window);
	return 0;
}

static int add(struct round *r, struct xfer x)
{
	if (grow(&r->xfers, r->nxfers, &r->room_xfers, sizeof(x)))
		return -1;
	r->xfers[r->nxfers++] = x;
	r->steps[r->nsteps - 1].n++;
	return 0;
}

int round_add(struct round *r, enum op op, int peer, uint32_t lane, void *buf, size_t len)
{
	return add(r, (struct xfer){ op, peer, lane, XFER_OWN, len, buf });
}

int round_add_shared(struct round *r, enum op op, int peer, int origin, void *buf, size_t len)
{
	return add(r, (struct xfer){ op, peer, 0, origin, len, buf });
}
