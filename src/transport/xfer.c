/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/xfer.h"

#include <stdlib.h>

#include "base/values.h"

void round_reset(struct round *r)
{
	*r = (struct round){ .xfers = r->xfers, .steps = r->steps, .count = 1,
			     .block.locals = r->block.locals };
}

void round_free(struct round *r)
{
	free(r->xfers);
	free(r->steps);
	free(r->block.locals);
	*r = (struct round){ 0 };
}

int round_step(struct round *r, uint32_t repeat, uint32_t window, uint32_t batch)
{
	struct step *steps = list_grow(r->steps, r->nsteps, sizeof(*steps));

	if (!steps)
		return -1;
	window = window < repeat ? window : repeat;
	r->steps = steps;
	r->steps[r->nsteps++] = (struct step){ .first = r->nxfers, .repeat = repeat,
					       .local = r->block.nlocals,
					       .window = window,
					       .batch = batch < window ? batch : window };
	return 0;
}

/* Appends a transfer to the round's latest step. Returns 0, or -1 if memory is short. */
static int add_xfer(struct round *r, struct xfer x)
{
	struct xfer *xfers = list_grow(r->xfers, r->nxfers, sizeof(x));

	if (!xfers)
		return -1;
	r->xfers = xfers;
	r->xfers[r->nxfers++] = x;
	r->steps[r->nsteps - 1].n++;
	return 0;
}

int round_add(struct round *r, enum op op, int peer, uint32_t lane, void *buf, size_t len)
{
	return add_xfer(r, (struct xfer){ op, peer, lane, XFER_OWN, len, buf, NULL });
}

int round_add_shared(struct round *r, enum op op, int peer, int origin, void *buf, size_t len)
{
	return add_xfer(r, (struct xfer){ op, peer, 0, origin, len, buf, NULL });
}

int round_add_native(struct round *r, uint32_t operation, int root, const void *from, void *buf,
		     size_t len)
{
	return add_xfer(r, (struct xfer){ OP_NATIVE, root, operation, root, len, buf, from });
}

int round_add_local(struct round *r, struct local local)
{
	struct local *locals = list_grow(r->block.locals, r->block.nlocals, sizeof(local));

	if (!locals)
		return -1;
	r->block.locals = locals;
	r->block.locals[r->block.nlocals++] = local;
	r->steps[r->nsteps - 1].nlocal++;
	return 0;
}
