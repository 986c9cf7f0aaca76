/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/spaced.h"

#include "base/error.h"

#define INLINE static inline __attribute__((always_inline))

INLINE int transfer_and_wait(struct endpoint *ep, const struct xfer *x)
{
	struct request req = { .done = false };
	int err = x->op == OP_SEND ? ep->be->isend(ep, x->peer, x->buf, x->len, &req)
				   : ep->be->irecv(ep, x->peer, x->buf, x->len, &req);

	return err ? err : ep->be->wait(ep, &req);
}

/* Runs `repeat` transfers of a step: x[0], x[stride], x[2 * stride], ... */
INLINE int run_step(struct endpoint *ep, const struct xfer *x, uint32_t stride, uint32_t repeat,
		    double pause_s, const bool paused)
{
	int err = transfer_and_wait(ep, x);

	for (uint32_t i = 1; i < repeat && !err; i++) {
		if (paused)
			ep->be->compute(ep, pause_s);
		x += stride;
		err = transfer_and_wait(ep, x);
	}
	return err;
}

/* This function is inlined twice, so that the loop without pauses has no branch for pauses. */
INLINE int run_steps(struct endpoint *ep, const struct round *r, double pause_s, const bool paused)
{
	const struct xfer *x = r->xfers;
	uint32_t stride = r->each, iteration = r->each ? r->nxfers / (uint32_t)r->count : 0;

	for (uint64_t i = 0; i < r->count; i++, x += iteration)
		for (const struct step *s = r->steps; s < r->steps + r->nsteps; s++)
			if (run_step(ep, &x[s->first], stride, s->repeat, pause_s, paused))
				return ST_FAILED;
	return ST_OK;
}

int spaced_run(struct endpoint *ep, const struct round *r, double pause_s, double *seconds)
{
	double begun = ep->be->now(ep), start, pauses = 0;
	int err;

	/* measure the time of all pauses of the round, without messages */
	for (uint64_t i = 0; i < r->count && pause_s > 0; i++)
		for (const struct step *s = r->steps; s < r->steps + r->nsteps; s++)
			for (uint32_t k = 1; k < s->repeat; k++)
				ep->be->compute(ep, pause_s);
	start = ep->be->now(ep);
	if (pause_s > 0)
		pauses = start - begun;
	err = pause_s > 0 ? run_steps(ep, r, pause_s, true) : run_steps(ep, r, 0, false);
	*seconds = (ep->be->now(ep) - start - pauses) * ep->tick_s;
	return err;
}
