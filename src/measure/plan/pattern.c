/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/plan/pattern.h"

#include "transport/backend.h"

static int rank_at_place(const struct build *b, int place)
{
	return b->a->ranks ? b->a->ranks[place] : place;
}

int pattern_step_within(struct build *b, uint32_t repeat, uint32_t window, uint32_t batch)
{
	b->repeat = repeat;
	return b->bufs ? round_step(b->round, repeat, window, batch) : 0;
}

int pattern_step(struct build *b, uint32_t repeat, uint32_t batch)
{
	return pattern_step_within(b, repeat, repeat, batch);
}

void *pattern_next_buffer(struct build *b)
{
	static char counted;	/* its address stands for any buffer that is only counted */

	if (!b->bufs) {
		b->used += b->each && b->repeat ? (int)b->repeat : 1;
		return &counted;
	}
	return b->used < b->nbufs ? b->bufs[b->used++] : NULL;
}

int pattern_add(struct build *b, enum op op, int place, uint32_t lane, size_t len)
{
	void *buf = pattern_next_buffer(b);

	if (!buf)
		return -1;
	return b->bufs ? round_add(b->round, op, rank_at_place(b, place), lane, buf, len) : 0;
}

int pattern_add_shared(struct build *b, enum op op, int place, void *buf)
{
	if (!buf || !b->bufs)
		return buf ? 0 : -1;
	return round_add_shared(b->round, op, rank_at_place(b, place), rank_at_place(b, 0), buf,
				b->a->len);
}

int pattern_add_native(struct build *b, uint32_t operation, void *buf)
{
	if (!buf || !b->bufs)
		return buf ? 0 : -1;
	return round_add_native(b->round, operation, rank_at_place(b, 0), NULL, buf, b->a->len);
}

int pattern_step_window(struct build *b)
{
	return pattern_step(b, b->a->window, b->a->batch);
}

int pattern_single_transfer(struct build *b, enum op op, int place, size_t len)
{
	return pattern_step(b, 1, 1) || pattern_add(b, op, place, 0, len);
}

void pattern_set_role(struct build *b, unsigned roles, bool timed)
{
	b->round->roles = roles;
	b->round->timed = timed;
}

int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs,
		  int nbufs, struct round *r)
{
	struct build b = { .a = a, .round = r, .bufs = bufs, .nbufs = nbufs,
			   .variant = p->variant };

	return a->place < 0 ? 0 : p->build(&b);
}

/*
 * Returns the number of buffers that the pattern uses at this place, or -1 if memory runs out. With
 * `each`, counts a buffer for each message.
 */
static int count_buffers(const struct pattern *p, const struct pattern_args *a, bool each,
			 bool *timed)
{
	struct round round = { 0 };
	struct build b = { .a = a, .round = &round, .each = each, .variant = p->variant };
	int err = a->place < 0 ? 0 : p->build(&b);

	if (timed)
		*timed = round.timed;
	return err ? -1 : b.used;
}

int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed)
{
	return count_buffers(p, a, false, timed);
}

int pattern_messages(const struct pattern *p, const struct pattern_args *a)
{
	return count_buffers(p, a, true, NULL);
}
