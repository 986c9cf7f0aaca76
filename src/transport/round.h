/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of a round for backends that drive messages from the host. Everything here is inlined
 * into the backend's run hook together with the backend's own post and poll, so that no pointer is
 * called for a message:
 *
 *	static int run(struct endpoint *ep, const struct round *r, double *s)
 *	{
 *		return round_drive(ep, r, (struct driver){ post, flush, poll, ticks, NULL }, s);
 *	}
 */
#ifndef NETBENCH_TRANSPORT_ROUND_H
#define NETBENCH_TRANSPORT_ROUND_H

#include "transport/backend.h"
#include "base/error.h"

#define ROUND_INLINE static inline __attribute__((always_inline))

/* A backend's operations; compile-time constants at the call of round_drive. */
struct driver {
	/* Starts a transfer. 1: complete already; 0: in flight; negative: failed (reported). */
	int (*post)(struct endpoint *ep, const struct xfer *x);
	/* The doorbell: what was posted since the last one must now be sent. NULL: needs none. */
	void (*flush)(struct endpoint *ep);
	/* Makes progress, and may wait. Number of completions, negative: failed. */
	int (*poll)(struct endpoint *ep);
	/* The clock, in ticks of ep->tick_s. */
	double (*ticks)(struct endpoint *ep);
	/* Like poll, waits for all in flight, when a step has nothing left to post. May be NULL. */
	int (*drain)(struct endpoint *ep);
};

/* Whether each step is a single message, as in a ping-pong. */
static inline bool round_is_lone(const struct round *r)
{
	for (uint32_t i = 0; i < r->nsteps; i++)
		if (r->steps[i].n != 1 || r->steps[i].repeat != 1)
			return false;
	return true;
}

/*
 * Posts a step's transfers `sets` times, a doorbell every `batch`; adds completions to *done. Here
 * and below `each` is that of the round, a compile-time constant.
 */
ROUND_INLINE int round_post(struct endpoint *ep, const struct xfer *x, uint32_t n, uint32_t sets,
			    uint32_t batch, const struct driver d, bool each, uint64_t *done)
{
	uint32_t until_doorbell = batch;

	for (uint32_t s = 0; s < sets; s++, x += each ? n : 0) {
		for (uint32_t i = 0; i < n; i++) {
			int ready = d.post(ep, &x[i]);

			if (__builtin_expect(ready < 0, 0))
				return ST_FAILED;
			*done += (uint64_t)ready;
		}
		if (--until_doorbell == 0 || s + 1 == sets) {
			if (d.flush)
				d.flush(ep);
			until_doorbell = batch;
		}
	}
	return ST_OK;
}

/* Sets that may be posted now: whole batches within the window, or all that are left. */
ROUND_INLINE uint32_t round_fit(const struct step *s, uint64_t in_flight, uint32_t left)
{
	uint64_t room = (uint64_t)s->n * s->window - in_flight, sets;

	if (room >= (uint64_t)left * s->n)
		return left;
	sets = s->n == 1 ? room : room / s->n;
	return (uint32_t)(s->batch == 1 ? sets : sets - sets % s->batch);
}

/* A step of one transfer, as in a ping-pong. */
ROUND_INLINE int round_one_xfer(struct endpoint *ep, const struct xfer *x, const struct driver d)
{
	int done = d.post(ep, x);

	if (__builtin_expect(done < 0, 0))
		return ST_FAILED;
	if (d.flush)
		d.flush(ep);
	while (!done) {
		done = d.drain ? d.drain(ep) : d.poll(ep);
		if (__builtin_expect(done < 0, 0))
			return ST_FAILED;
	}
	return ST_OK;
}

ROUND_INLINE int round_one_step(struct endpoint *ep, const struct xfer *x, const struct step *s,
				const struct driver d, bool each)
{
	uint64_t posted = 0, done = 0;
	uint32_t left = s->repeat;

	if (s->n == 1 && left == 1)
		return round_one_xfer(ep, x, d);
	for (;;) {
		uint32_t sets = left ? round_fit(s, posted - done, left) : 0;

		if (sets) {
			if (round_post(ep, x, s->n, sets, s->batch, d, each, &done))
				return ST_FAILED;
			x += each ? (size_t)sets * s->n : 0;
			posted += (uint64_t)sets * s->n;
			left -= sets;
			if (left && round_fit(s, posted - done, left))
				continue;	/* some completed at once */
		}
		if (done == posted && !left)
			return ST_OK;
		int n = d.drain && !left ? d.drain(ep) : d.poll(ep);

		if (__builtin_expect(n < 0, 0))
			return ST_FAILED;
		done += (uint64_t)n;
	}
}

ROUND_INLINE int round_loop(struct endpoint *ep, const struct round *r, const struct driver d,
			    bool stamped, bool each)
{
	const struct xfer *next = r->xfers;

	for (uint64_t i = 0; i < r->count; i++) {
		for (const struct step *s = r->steps; s < r->steps + r->nsteps; s++) {
			const struct xfer *x = each ? next : r->xfers + s->first;

			if (round_one_step(ep, x, s, d, each))
				return ST_FAILED;
			next += each ? (size_t)s->n * s->repeat : 0;
		}
		if (stamped)
			r->stamps[i + 1] = d.ticks(ep);
	}
	return ST_OK;
}

/* Does the round; *seconds is the time from before its first to after its last transfer. */
ROUND_INLINE int round_drive(struct endpoint *ep, const struct round *r, const struct driver d,
			     double *seconds)
{
	double start = d.ticks(ep);
	int err;

	if (r->each)
		err = r->stamps ? round_loop(ep, r, d, true, true)
				: round_loop(ep, r, d, false, true);
	else
		err = r->stamps ? round_loop(ep, r, d, true, false)
				: round_loop(ep, r, d, false, false);

	*seconds = (d.ticks(ep) - start) * ep->tick_s;
	if (r->stamps)
		r->stamps[0] = start;
	return err;
}

#endif
