/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify.h"

#include "base/error.h"
#include "measure/content.h"
#include "measure/session.h"

/* The part of a message that the backend carries. */
static size_t carried(const struct session *s, size_t len)
{
	size_t most = s->ep->limits.content_len;

	return len < most ? len : most;
}

/* What a transfer does with the content of its buffer on this rank. */
enum duty { SUPPLIES, TAKES, PASSES_ON };

static enum duty duty_of(const struct session *s, const struct xfer *x)
{
	if (x->op == OP_RECV || x->op == OP_READ)
		return TAKES;
	if (x->origin == XFER_OWN || x->origin == s->job->rank)
		return SUPPLIES;
	return x->op == OP_BCAST ? TAKES : PASSES_ON;
}

static struct content_key key_of(const struct session *s, const struct xfer *x, uint64_t seq)
{
	bool out = x->op != OP_RECV && x->op != OP_READ;
	uint32_t me = (uint32_t)s->job->rank, peer = (uint32_t)x->peer, origin = (uint32_t)x->origin;
	struct content_key key = { .seed = s->settings->m.seed, .lane = x->lane, .seq = seq };

	key.src = x->origin != XFER_OWN ? origin : out ? me : peer;
	key.dst = x->origin != XFER_OWN ? origin : out ? peer : me;
	return key;
}

void verify_prepare(const struct session *s, const struct round *r, uint64_t seq)
{
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = key_of(s, x, seq);
		enum duty duty = duty_of(s, x);

		if (duty == TAKES)
			content_poison(x->buf, carried(s, x->len));
		else if (duty == SUPPLIES)
			content_fill(x->buf, carried(s, x->len), &key);
	}
}

void verify_stamp(const struct session *s, const struct round *r, uint64_t stamp)
{
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = key_of(s, x, stamp);
		enum duty duty = duty_of(s, x);

		if (duty == TAKES)
			content_poison_stamp(x->buf, carried(s, x->len));
		else if (duty == SUPPLIES)
			content_stamp(x->buf, carried(s, x->len), &key);
	}
}

uint64_t verify_check(const struct session *s, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked)
{
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = key_of(s, x, seq), last = key_of(s, x, stamp);

		if (duty_of(s, x) != TAKES || !x->len)
			continue;
		*checked += 1;
		wrong += content_check_stamped(x->buf, carried(s, x->len), &key, &last) != 0;
	}
	return wrong;
}

/* The round with every transfer once. */
static int make_single(struct session *s)
{
	const struct round *r = &s->part.round;

	round_reset(&s->part.single);
	for (uint32_t k = 0; k < r->nsteps; k++) {
		if (round_step(&s->part.single, 1, 1, 1))
			return -1;
		for (uint32_t i = 0; i < r->steps[k].n; i++) {
			const struct xfer *x = &r->xfers[r->steps[k].first + i];

			if (x->origin == XFER_OWN ? round_add(&s->part.single, x->op, x->peer, x->lane, x->buf, x->len)
						  : round_add_shared(&s->part.single, x->op, x->peer, x->origin, x->buf,
								     x->len))
				return -1;
		}
	}
	return 0;
}

uint64_t verify_each(struct session *s, uint64_t times, uint64_t *checked)
{
	const struct backend *be = s->ep->be;
	struct job *job = s->job;
	uint64_t wrong = 0;
	double seconds;
	int err = ST_OK;

	if (make_single(s))
		job->kind->abort(job, error_report("no memory for a round"));
	for (uint64_t i = 0; i < times; i++) {
		uint64_t seq = s->seq++;

		verify_prepare(s, &s->part.single, seq);
		if (be->arm)
			err = be->arm(s->ep, &s->part.single);
		if (!err)
			err = be->run(s->ep, &s->part.single, &seconds);
		if (err)
			job->kind->abort(job, err);
		wrong += verify_check(s, &s->part.single, seq, seq, checked);
	}
	return wrong;
}
