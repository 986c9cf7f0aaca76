/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/verify.h"

#include "measure/content.h"
#include "base/error.h"

/* The part of a message that the backend carries. */
static size_t carried(const struct bench *b, size_t len)
{
	size_t most = b->ep->limits.content_len;

	return len < most ? len : most;
}

/* What a transfer does with the content of its buffer on this rank. */
enum part { SUPPLIES, TAKES, PASSES_ON };

static enum part part_of(const struct bench *b, const struct xfer *x)
{
	if (x->op == OP_RECV || x->op == OP_READ)
		return TAKES;
	if (x->origin == XFER_OWN || x->origin == b->job->rank)
		return SUPPLIES;
	return x->op == OP_BCAST ? TAKES : PASSES_ON;
}

static struct content_key key_of(const struct bench *b, const struct xfer *x, uint64_t seq)
{
	bool out = x->op != OP_RECV && x->op != OP_READ;
	uint32_t me = (uint32_t)b->job->rank, peer = (uint32_t)x->peer, origin = (uint32_t)x->origin;
	struct content_key key = { .seed = measure_opts.seed, .lane = x->lane, .seq = seq };

	key.src = x->origin != XFER_OWN ? origin : out ? me : peer;
	key.dst = x->origin != XFER_OWN ? origin : out ? peer : me;
	return key;
}

void verify_prepare(const struct bench *b, const struct round *r, uint64_t seq)
{
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = key_of(b, x, seq);
		enum part part = part_of(b, x);

		if (part == TAKES)
			content_poison(x->buf, carried(b, x->len));
		else if (part == SUPPLIES)
			content_fill(x->buf, carried(b, x->len), &key);
	}
}

void verify_stamp(const struct bench *b, const struct round *r, uint64_t stamp)
{
	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = key_of(b, x, stamp);
		enum part part = part_of(b, x);

		if (part == TAKES)
			content_poison_stamp(x->buf, carried(b, x->len));
		else if (part == SUPPLIES)
			content_stamp(x->buf, carried(b, x->len), &key);
	}
}

uint64_t verify_check(const struct bench *b, const struct round *r, uint64_t seq, uint64_t stamp,
		      uint64_t *checked)
{
	uint64_t wrong = 0;

	for (uint32_t i = 0; i < r->nxfers; i++) {
		const struct xfer *x = &r->xfers[i];
		struct content_key key = key_of(b, x, seq), last = key_of(b, x, stamp);

		if (part_of(b, x) != TAKES || !x->len)
			continue;
		*checked += 1;
		wrong += content_check_stamped(x->buf, carried(b, x->len), &key, &last) != 0;
	}
	return wrong;
}

/* The round with every transfer once. */
static int make_single(struct bench *b)
{
	const struct round *r = &b->round;

	round_reset(&b->single);
	for (uint32_t s = 0; s < r->nsteps; s++) {
		if (round_step(&b->single, 1, 1, 1))
			return -1;
		for (uint32_t i = 0; i < r->steps[s].n; i++) {
			const struct xfer *x = &r->xfers[r->steps[s].first + i];

			if (x->origin == XFER_OWN ? round_add(&b->single, x->op, x->peer, x->lane, x->buf, x->len)
						  : round_add_shared(&b->single, x->op, x->peer, x->origin, x->buf,
								     x->len))
				return -1;
		}
	}
	return 0;
}

uint64_t verify_each(struct bench *b, uint64_t times, uint64_t *checked)
{
	const struct backend *be = b->run->be;
	struct job *job = b->job;
	uint64_t wrong = 0;
	double seconds;
	int err = ST_OK;

	if (make_single(b))
		job->kind->abort(job, error_report("no memory for a round"));
	for (uint64_t i = 0; i < times; i++) {
		uint64_t seq = b->seq++;

		verify_prepare(b, &b->single, seq);
		if (be->arm)
			err = be->arm(b->ep, &b->single);
		if (!err)
			err = be->run(b->ep, &b->single, &seconds);
		if (err)
			job->kind->abort(job, err);
		wrong += verify_check(b, &b->single, seq, seq, checked);
	}
	return wrong;
}
