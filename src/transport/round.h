/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop that runs a round, for backends that drive messages from the host. The loop and the
 * backend's own post and poll are inlined into the backend's run hook. So no message needs a call
 * through a function pointer:
 *
 *	static int run(struct endpoint *ep, const struct round *r, double *s)
 *	{
 *		const struct driver d = { .post = post, .poll = poll, .ticks = host_ticks };
 *
 *		return round_drive(ep, r, d, s);
 *	}
 */
#ifndef NETBENCH_TRANSPORT_ROUND_H
#define NETBENCH_TRANSPORT_ROUND_H

#include <string.h>

#include "transport/host.h"
#include "base/error.h"

#define ROUND_INLINE static inline __attribute__((always_inline))

/* A backend's operations. At the call of round_drive they must be compile-time constants. */
struct driver {
	/*
	 * Starts a transfer. Returns 1 if the transfer is already complete, 0 if it is in flight, a
	 * negative number on failure (reported).
	 */
	int (*post)(struct endpoint *ep, const struct xfer *x);
	/*
	 * The doorbell: sends all transfers posted since the previous doorbell. NULL: the backend
	 * needs no doorbell.
	 */
	void (*flush)(struct endpoint *ep);
	/*
	 * Advances the transfers in flight, and may wait. Returns the number of transfers
	 * completed, or a negative number on failure.
	 */
	int (*poll)(struct endpoint *ep);
	/* Reads the clock, in ticks of ep->tick_s. */
	double (*ticks)(struct endpoint *ep);
	/*
	 * Like poll, but waits for all transfers in flight. Used when a step has nothing left to
	 * post. May be NULL.
	 */
	int (*drain)(struct endpoint *ep);
	/*
	 * True: transfers complete in the order of posting. While a transfer is in flight, no
	 * transfer posted later is complete.
	 */
	bool in_order;
	/*
	 * Called after an addition of `len` bytes of doubles: makes the time pass that the addition
	 * takes. NULL: the addition itself has taken the time.
	 */
	void (*added)(struct endpoint *ep, size_t len);
};

/* Returns true if no step has more than one message in flight, as in a ping-pong. */
static inline bool round_has_single_messages(const struct round *r)
{
	if (r->flow != FLOW_NONE)
		return false;
	for (uint32_t i = 0; i < r->nsteps; i++)
		if (r->steps[i].n > 1 || r->steps[i].repeat != 1)
			return false;
	return true;
}

/*
 * Returns true if a buffer is never written again before its rank has read the content. This is
 * true in a ping-pong, because the writer waits for the answer. It is also true in a round that
 * does each transfer only once.
 */
static inline bool round_buffers_read_in_time(const struct round *r)
{
	const struct xfer *x = r->xfers;

	return round_has_single_messages(r) &&
	       (r->count <= 1 ||
		(r->nxfers == 2 && x[0].peer == x[1].peer && x[0].op != x[1].op));
}

/*
 * Posts a step's n transfers `sets` times, with a doorbell after every `batch` sets and after the
 * final set. Adds the number of transfers that are complete at once to *done. Here and below,
 * `each` is the round's member `each`, as a compile-time constant.
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

/*
 * Returns the number of sets that may be posted now: whole batches that fit into the window, or all
 * `left` sets if they fit. A set counts as `per` transfers in flight: its n transfers, or 1 (see
 * round_flow).
 */
ROUND_INLINE uint32_t round_sets_that_fit(const struct step *s, uint32_t per, uint64_t in_flight,
					  uint64_t left)
{
	uint64_t most = (uint64_t)per * s->window, room = most > in_flight ? most - in_flight : 0;
	uint64_t sets;

	if (room >= left * per)
		return (uint32_t)left;
	sets = per == 1 ? room : room / per;
	return (uint32_t)(s->batch == 1 ? sets : sets - sets % s->batch);
}

/* Runs a step of one transfer, as in a ping-pong. */
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

/* Posts `left` sets of a step with a sliding window, and waits until all are complete. */
ROUND_INLINE int round_slide(struct endpoint *ep, const struct xfer *x, const struct step *s,
			     uint32_t per, uint64_t left, const struct driver d, bool each)
{
	uint64_t posted = 0, done = 0;

	for (;;) {
		uint32_t sets = left ? round_sets_that_fit(s, per, posted - done, left) : 0;

		if (sets) {
			if (round_post(ep, x, s->n, sets, s->batch, d, each, &done))
				return ST_FAILED;
			x += each ? (size_t)sets * s->n : 0;
			posted += (uint64_t)sets * s->n;
			left -= sets;
			if (left && round_sets_that_fit(s, per, posted - done, left))
				/* transfers that were complete at once have made room */
				continue;
		}
		if (done == posted && !left)
			return ST_OK;
		int n = d.drain && !left ? d.drain(ep) : d.poll(ep);

		if (__builtin_expect(n < 0, 0))
			return ST_FAILED;
		done += (uint64_t)n;
	}
}

/* Runs all transfers of a step. */
ROUND_INLINE int round_one_step(struct endpoint *ep, const struct xfer *x, const struct step *s,
				const struct driver d, bool each)
{
	if (s->n == 1 && s->repeat == 1)
		return round_one_xfer(ep, x, d);
	return round_slide(ep, x, s, s->n, s->repeat, d, each);
}

/* ---- windows that slide over all iterations ---- */

/*
 * FLOW_ANSWERS: returns how many receives are certainly complete. A poll does not distinguish
 * receives from sent acknowledgements. `done` transfers are complete, and at most `answered` of
 * them are acknowledgements. If completions come in order, the first `ahead` completions are
 * receives, and after them every second completion is a receive.
 */
ROUND_INLINE uint64_t round_receives_done(uint64_t done, uint64_t answered, uint64_t ahead,
					  uint64_t all, bool in_order)
{
	uint64_t n = !in_order ? done - answered : done <= ahead ? done : (done + ahead) / 2;

	return n < all ? n : all;
}

/* Runs a round with FLOW_ANSWERS. */
ROUND_INLINE int round_answer(struct endpoint *ep, const struct round *r, const struct driver d)
{
	const struct step *s = r->steps;
	const struct xfer *next = r->xfers, *answer = r->xfers + 1;
	uint64_t all = (uint64_t)s->repeat * r->count, ahead = s->window < all ? s->window : all;
	uint64_t posted = 0, answered = 0, done = 0, stride = r->each ? 2 : 0;

	for (;;) {
		int n;

		for (; posted < all && posted - answered < ahead; posted++, next += stride) {
			n = d.post(ep, next);
			if (__builtin_expect(n < 0, 0))
				return ST_FAILED;
			done += (uint64_t)n;
		}
		if (answered < round_receives_done(done, answered, ahead, all, d.in_order)) {
			n = d.post(ep, answer);
			if (d.flush)
				d.flush(ep);
			answer += stride;
			answered++;
		} else if (done < 2 * all) {
			n = d.drain && answered == all ? d.drain(ep) : d.poll(ep);
		} else {
			return ST_OK;
		}
		if (__builtin_expect(n < 0, 0))
			return ST_FAILED;
		done += (uint64_t)n;
	}
}

/*
 * Runs a round with a flow. FLOW_AWAITS: while a message is not acknowledged, the receive of its
 * acknowledgement is in flight. So if fewer than `window` transfers are in flight, the window has
 * room for one more message. If completions come in order, a send completes only after the
 * acknowledgements posted before it. Then complete sets are counted instead of transfers.
 */
ROUND_INLINE int round_flow(struct endpoint *ep, const struct round *r, const struct driver d)
{
	const struct step *s = r->steps;
	uint64_t all = (uint64_t)s->repeat * r->count;

	if (r->flow == FLOW_ANSWERS)
		return round_answer(ep, r, d);
	return round_slide(ep, r->xfers, s, d.in_order ? s->n : 1, all, d, r->each);
}

/* Runs all iterations of a round that has no flow and no block. */
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

/* ---- blocks ---- */

/* Two doubles that are added by one instruction, at any address that is aligned for a double. */
typedef double round_pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Adds `len` bytes of doubles at `from` to the doubles at `to`. */
ROUND_INLINE void round_add_doubles(void *to, const void *from, size_t len)
{
	round_pair *sum = to;
	const round_pair *more = from;
	size_t n = len / sizeof(*sum);

	for (size_t i = 0; i < n; i++)
		sum[i] += more[i];
	if (len % sizeof(*sum))
		*(double *)(sum + n) += *(const double *)(more + n);
}

/* Replaces each double at `to` by the one at `from` if that is larger. Both have `len` bytes. */
ROUND_INLINE void round_keep_larger_doubles(void *to, const void *from, size_t len)
{
	typedef double __attribute__((may_alias)) number;
	number *largest = to;
	const number *more = from;

	for (size_t i = 0; i < len / sizeof(*largest); i++)
		largest[i] = more[i] > largest[i] ? more[i] : largest[i];
}

/* Does the local work of a step in a round with a block. */
ROUND_INLINE void round_do_local_work(struct endpoint *ep, const struct block *b,
				      const struct step *s, const struct driver d)
{
	for (const struct local *l = b->locals + s->local, *end = l + s->nlocal; l < end; l++) {
		if (!l->adds && !b->hollow)
			memmove(l->to, l->from, l->len);
		else if (!b->hollow && b->max)
			round_keep_larger_doubles(l->to, l->from, l->len);
		else if (!b->hollow)
			round_add_doubles(l->to, l->from, l->len);
		if (l->adds && d.added)
			d.added(ep, l->len);
	}
}

/* Loads the descriptions of an iteration's timed steps into the cache. */
ROUND_INLINE void round_prefetch(const struct round *r, const struct step *s, uint32_t n)
{
	for (const struct step *end = s + n; s < end; s++) {
		__builtin_prefetch(s);
		for (uint32_t i = 0; i < s->n; i++)
			__builtin_prefetch(r->xfers + s->first + i);
		for (uint32_t i = 0; i < s->nlocal; i++)
			__builtin_prefetch(r->block.locals + s->local + i);
	}
}

/* Runs all iterations of a round with a block. */
ROUND_INLINE int round_block(struct endpoint *ep, const struct round *r, const struct driver d)
{
	const struct step *first = r->steps + r->block.head, *all = r->steps + r->nsteps;
	const uint32_t n = r->block.per ? r->block.per : r->nsteps - r->block.head;
	const struct step *timed = first, *end;
	double *stamp = r->stamps;

	for (uint64_t i = 0; i < r->count; i++, timed = end < all ? end : first) {
		end = timed + n;
		if (r->block.per)
			round_prefetch(r, timed, n);
		for (const struct step *s = r->steps; s < first; s++)
			if (round_one_step(ep, r->xfers + s->first, s, d, false))
				return ST_FAILED;
		if (r->block.starts)
			while (d.ticks(ep) < r->block.starts[i])
				;
		if (stamp)
			*stamp++ = d.ticks(ep);
		for (const struct step *s = timed; s < end; s++) {
			if (!s->n)
				round_do_local_work(ep, &r->block, s, d);
			else if (round_one_step(ep, r->xfers + s->first, s, d, false))
				return ST_FAILED;
		}
		if (stamp)
			*stamp++ = d.ticks(ep);
	}
	return ST_OK;
}

/*
 * Runs the round. Sets *seconds to the time from before its first transfer to after its final
 * transfer.
 */
ROUND_INLINE int round_drive(struct endpoint *ep, const struct round *r, const struct driver d,
			     double *seconds)
{
	double start = d.ticks(ep);
	int err;

	if (r->block.on) {
		err = round_block(ep, r, d);
		*seconds = (d.ticks(ep) - start) * ep->tick_s;
		return err;
	}
	if (r->flow != FLOW_NONE)
		err = round_flow(ep, r, d);
	else if (r->each)
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

/* Like round_drive, for a backend that uses the host's clock and has no drain. */
ROUND_INLINE int round_drive_host(struct endpoint *ep, const struct round *r,
				  int (*post)(struct endpoint *ep, const struct xfer *x),
				  void (*flush)(struct endpoint *ep),
				  int (*poll)(struct endpoint *ep), double *seconds)
{
	return round_drive(ep, r, (struct driver){ .post = post, .flush = flush, .poll = poll,
						   .ticks = host_ticks }, seconds);
}

#endif
