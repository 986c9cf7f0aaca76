/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify/verify.h"

#include "base/error.h"
#include "job/watchdog.h"
#include "measure/verify/content.h"
#include "measure/verify/each.h"
#include "measure/session.h"

/* Returns the number of bytes of a message whose content the backend carries. */
static size_t carried_length(const struct session *s, size_t len)
{
	return len < s->ep->limits.content_len ? len : s->ep->limits.content_len;
}

/*
 * What this rank does with the content of a transfer's buffer: writes it (SUPPLIES), receives it
 * (TAKES), or forwards content that it has received (PASSES_ON).
 */
enum duty { SUPPLIES, TAKES, PASSES_ON };

static enum duty transfer_duty(const struct session *s, const struct xfer *x)
{
	if (x->op == OP_RECV || x->op == OP_READ)
		return TAKES;
	if (x->origin == XFER_OWN || x->origin == s->job->rank)
		return SUPPLIES;
	return x->op == OP_NATIVE ? TAKES : PASSES_ON;
}

/* Returns the key of the message of a transfer. */
static struct content_key message_key(const struct session *s, const struct xfer *x, uint64_t seq)
{
	bool out = x->op != OP_RECV && x->op != OP_READ, own = x->origin == XFER_OWN;
	int me = s->job->rank, src = !own ? x->origin : out ? me : x->peer;
	int dst = !own ? x->origin : out ? x->peer : me;

	return (struct content_key){ .seed = s->settings->m.seed, .src = (uint32_t)src,
				     .dst = (uint32_t)dst, .lane = x->lane, .seq = seq };
}

/*
 * Returns the key of transfer k of a round, counted over all iterations. If a round lists each
 * message, each message has its own number. Messages of successive rounds also differ in the first
 * byte.
 */
static struct content_key transfer_key(const struct session *s, const struct round *r, uint64_t k,
				       uint64_t seq)
{
	const struct each *e = &s->part.each;

	if (!r->each || r != &s->part.round)
		return message_key(s, &r->xfers[k], seq);
	return message_key(s, &r->xfers[k % e->n], (seq << 32) + 61 * seq + each_number(e, k));
}

/*
 * Calls `fill` for each buffer whose content this rank writes, and `poison` for each buffer into
 * which this rank receives.
 */
static void prepare_buffers(const struct session *s, const struct round *r, uint64_t seq,
			    void (*fill)(void *, size_t, const struct content_key *),
			    void (*poison)(void *, size_t))
{
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = transfer_key(s, r, i, seq);
		enum duty duty = transfer_duty(s, x);

		if (duty == TAKES)
			poison(x->buf, carried_length(s, x->len));
		else if (duty == SUPPLIES)
			fill(x->buf, carried_length(s, x->len), &key);
	}
}

void verify_prepare(const struct session *s, const struct round *r, uint64_t seq)
{
	prepare_buffers(s, r, seq, content_fill, content_zero);
}

void verify_stamp(const struct session *s, const struct round *r, uint64_t stamp)
{
	prepare_buffers(s, r, stamp, content_stamp, content_zero_stamp);
}

uint64_t verify_check(const struct session *s, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked)
{
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = transfer_key(s, r, i, seq),
				   last = transfer_key(s, r, i, stamp);

		if (transfer_duty(s, x) != TAKES || !x->len)
			continue;
		*checked += 1;
		wrong += content_check_stamped(x->buf, carried_length(s, x->len), &key, &last) != 0;
	}
	return wrong;
}

/* ---- verification within the measured time ---- */

/*
 * Posts n transfers of iteration i, from transfer k of the iteration on. The round lists the
 * transfers of one iteration. Returns ST_OK or ST_FAILED.
 */
static int post_transfers(struct session *s, uint64_t i, uint32_t k, uint32_t n, uint64_t seq)
{
	const struct backend *be = s->ep->be;
	struct each *e = &s->part.each;
	int err = ST_OK;

	for (uint32_t end = k + n; k < end && !err; k++) {
		const struct xfer *x = &s->part.round.xfers[k];
		struct content_key key = transfer_key(s, &s->part.round, i * e->n + k, seq);

		if (transfer_duty(s, x) == SUPPLIES)
			content_fill(x->buf, carried_length(s, x->len), &key);
		err = x->op == OP_SEND
			      ? be->isend(s->ep, x->peer, x->buf, x->len, &e->requests[k])
			      : be->irecv(s->ep, x->peer, x->buf, x->len, &e->requests[k]);
	}
	return err;
}

/*
 * Waits for the n transfers that post_transfers() has posted, and verifies the messages that have
 * arrived.
 */
static int complete_transfers(struct session *s, uint64_t i, uint32_t k, uint32_t n, uint64_t seq)
{
	struct each *e = &s->part.each;

	for (uint32_t end = k + n; k < end; k++) {
		const struct xfer *x = &s->part.round.xfers[k];
		struct content_key key = transfer_key(s, &s->part.round, i * e->n + k, seq);

		if (s->ep->be->wait(s->ep, &e->requests[k]))
			return ST_FAILED;
		if (transfer_duty(s, x) != TAKES || !x->len)
			continue;
		e->checked++;
		e->errors += content_check(x->buf, carried_length(s, x->len), &key) != 0;
	}
	return ST_OK;
}

int verify_timed_round(struct session *s, double *seconds)
{
	const struct round *r = &s->part.round;
	double (*now)(struct endpoint *) = s->ep->be->now, start = now(s->ep);
	uint64_t seq = s->seq++;

	s->part.each.checked = s->part.each.errors = 0;
	for (uint64_t i = 0; i < r->count; i++) {
		for (const struct step *t = r->steps; t < r->steps + r->nsteps; t++)
			if (post_transfers(s, i, t->first, t->n * t->repeat, seq) ||
			    complete_transfers(s, i, t->first, t->n * t->repeat, seq))
				return ST_FAILED;
		if (r->stamps)
			r->stamps[i + 1] = now(s->ep);
	}
	*seconds = (now(s->ep) - start) * s->ep->tick_s;
	if (r->stamps)
		r->stamps[0] = start;
	return ST_OK;
}
