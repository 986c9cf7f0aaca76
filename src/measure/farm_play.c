/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each role of a farm does, message by message. Everything is inlined twice, once with and once without the readings of
 * the clock by which a rank observes itself.
 */
#include "measure/farm_play.h"

#include "base/error.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- messages ---- */

INLINE double now(const struct farm *f)
{
	return f->be->now(f->ep);
}

/* What has come while we were busy counts as communication, what we have to wait for as waiting. */
INLINE int wait_for(struct farm *f, struct request *r, const bool observed)
{
	double from = observed ? now(f) : 0;
	int err = observed ? f->be->test(f->ep, r) : ST_OK;

	if (observed && r->done) {
		f->tally.communicated_s += now(f) - from;
		return err;
	}
	if (!err)
		err = f->be->wait(f->ep, r);
	if (observed)
		f->tally.waited_s += now(f) - from;
	return err;
}

/* The next message in order, or NULL if it failed. */
INLINE struct request *take(struct farm *f, struct box *b, const bool observed)
{
	struct request *r = &b->req[b->taken % b->depth];

	return wait_for(f, r, observed) ? NULL : r;
}

INLINE void *taken_buf(const struct box *b)
{
	return b->buf[b->taken % b->depth];
}

/* The message is done with; its place gets another. */
INLINE int post(struct farm *f, struct box *b)
{
	uint64_t slot = b->posted % b->depth;

	if (b->posted == b->total)
		return ST_OK;
	b->posted++;
	return f->be->irecv(f->ep, b->peer, b->buf[slot], b->len, &b->req[slot]);
}

INLINE int next(struct farm *f, struct box *b, const bool observed)
{
	double from = observed ? now(f) : 0;
	int err;

	b->taken++;
	err = post(f, b);
	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

/* A buffer that is free to be filled and sent, or NULL if a send has failed. */
INLINE void *room(struct farm *f, struct box *b, const bool observed)
{
	uint64_t slot = b->posted % b->depth;
	double from = observed ? now(f) : 0;
	int err = b->req[slot].done ? ST_OK : f->be->wait(f->ep, &b->req[slot]);

	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err ? NULL : b->buf[slot];
}

INLINE int give(struct farm *f, struct box *b, int peer, const bool observed)
{
	uint64_t slot = b->posted++ % b->depth;
	double from = observed ? now(f) : 0;
	int err = f->be->isend(f->ep, peer, b->buf[slot], b->len, &b->req[slot]);

	if (observed)
		f->tally.communicated_s += now(f) - from;
	return err;
}

INLINE int give_control(struct farm *f, int peer, uint64_t event, uint32_t destination, const bool observed)
{
	struct control *c = room(f, &f->control_out, observed);

	if (!c)
		return ST_FAILED;
	*c = (struct control){ event, destination, 0 };
	return give(f, &f->control_out, peer, observed);
}

INLINE int give_data(struct farm *f, int peer, uint64_t event, const bool observed)
{
	void *packet = room(f, &f->data_out, observed);

	if (!packet)
		return ST_FAILED;
	memcpy(packet, &event, farm_head(f));
	return give(f, &f->data_out, peer, observed);
}

/* ---- events ---- */

/* Reads a data packet: every byte, and whether it is the right one. */
INLINE void read_packet(struct farm *f, const struct box *b, const struct request *r, uint64_t event)
{
	const unsigned char *p = taken_buf(b);
	size_t head = farm_head(f);
	uint64_t sum = farm_sum(p + head, farm_carried(f) - head);
	bool right = r->len == f->len && sum == b->sum && !memcmp(p, &event, head);

	f->checked++;
	f->errors += !right;
}

INLINE void digest_packet(struct farm *f, const struct box *b, const struct request *r, uint64_t event,
			  const bool observed)
{
	double from = observed ? now(f) : 0, then;

	read_packet(f, b, r, event);
	then = observed ? now(f) : 0;
	if (f->plan.occupation_s > 0)
		f->be->compute(f->ep, f->plan.occupation_s);
	if (observed) {
		double end = now(f);

		f->tally.computed_s += end - from;
		f->tally.occupied_s += end - then;
		f->tally.packets++;
	}
}

/* One packet of the event from everyone who sends here. */
INLINE int build_event(struct farm *f, uint64_t event, const bool observed)
{
	for (int i = 0; i < f->ndata_in; i++) {
		struct box *b = &f->data_in[i];
		struct request *r = take(f, b, observed);

		if (!r)
			return ST_FAILED;
		digest_packet(f, b, r, event, observed);
		if (next(f, b, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Tells those who have to know of an event: the sources, or its destination. */
INLINE int assign(struct farm *f, uint64_t event, const bool observed)
{
	const struct farm_plan *p = &f->plan;
	uint32_t d = (uint32_t)(event % (uint64_t)p->destinations);
	int err = ST_OK;

	if (p->kind == FARM_PULL)
		return give_control(f, farm_first_destination(p) + (int)d, event, d, observed);
	for (int s = 0; s < p->sources && !err; s++)
		err = give_control(f, farm_first_source(p) + s, event, d, observed);
	return err;
}

/* A decision must come from the event's destination, and be its next. */
INLINE int take_decision(struct farm *f, const bool observed)
{
	uint64_t n = (uint64_t)f->plan.destinations;
	struct request *r = take(f, &f->control_in, observed);
	const struct control *c = taken_buf(&f->control_in);
	bool right;

	if (!r)
		return ST_FAILED;
	right = r->len == FARM_CONTROL && c->destination < n &&
		r->peer == farm_first_destination(&f->plan) + (int)c->destination &&
		c->event == f->decided[c->destination] * n + c->destination;
	if (right)
		f->decided[c->destination]++;
	f->checked++;
	f->errors += !right;
	return next(f, &f->control_in, observed);
}

INLINE int supervise(struct farm *f, const bool observed)
{
	uint64_t sent = 0;

	for (uint64_t done = 0; done < f->loops; done++) {
		for (; sent < f->loops && sent - done < f->plan.credits; sent++)
			if (assign(f, sent, observed))
				return ST_FAILED;
		if (take_decision(f, observed))
			return ST_FAILED;
		if (observed)
			f->stamps[done + 1] = now(f);
	}
	return ST_OK;
}

/* Source of a farm: one data packet for each that is asked for, by the supervisor or by a destination. */
INLINE int serve(struct farm *f, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		struct request *r = take(f, &f->control_in, observed);
		struct control c;

		if (!r)
			return ST_FAILED;
		c = *(const struct control *)taken_buf(&f->control_in);
		f->errors += c.destination >= (uint32_t)f->plan.destinations;
		c.destination %= (uint32_t)f->plan.destinations;
		if (next(f, &f->control_in, observed) ||
		    give_data(f, farm_first_destination(&f->plan) + (int)c.destination, c.event, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Destination of a push farm. */
INLINE int collect(struct farm *f, const bool observed)
{
	uint32_t me = (uint32_t)(f->rank - farm_first_destination(&f->plan));

	for (uint64_t i = 0; i < f->share; i++) {
		uint64_t event = i * (uint64_t)f->plan.destinations + me;

		if (build_event(f, event, observed) || give_control(f, 0, event, me, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Destination of a pull farm: it does not look for its next event before it has decided on this one. */
INLINE int fetch(struct farm *f, const bool observed)
{
	uint32_t me = (uint32_t)(f->rank - farm_first_destination(&f->plan));

	for (uint64_t i = 0; i < f->share; i++) {
		struct request *r = take(f, &f->control_in, observed);
		uint64_t event;

		if (!r)
			return ST_FAILED;
		event = ((const struct control *)taken_buf(&f->control_in))->event;
		for (int s = 0; s < f->plan.sources; s++)
			if (give_control(f, farm_first_source(&f->plan) + s, event, me, observed))
				return ST_FAILED;
		if (build_event(f, event, observed) || give_control(f, 0, event, me, observed) ||
		    next(f, &f->control_in, observed))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Source of a pipeline. */
INLINE int feed(struct farm *f, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++)
		if (give_data(f, f->data_out.peer, i, observed))
			return ST_FAILED;
	return ST_OK;
}

/* Stage of a pipeline, and its destination, which has none to send to. */
INLINE int relay(struct farm *f, const bool observed)
{
	for (uint64_t i = 0; i < f->loops; i++) {
		if (build_event(f, i, observed))
			return ST_FAILED;
		if (f->role == FARM_STAGE && give_data(f, f->data_out.peer, i, observed))
			return ST_FAILED;
		if (observed && f->rank == 0)
			f->stamps[i + 1] = now(f);
	}
	return ST_OK;
}

INLINE int play(struct farm *f, const bool observed)
{
	enum farm_kind kind = f->plan.kind;

	switch (f->role) {
	case FARM_SUPERVISOR:
		return supervise(f, observed);
	case FARM_SOURCE:
		return kind == FARM_PIPELINE ? feed(f, observed) : serve(f, observed);
	case FARM_DESTINATION:
		return kind == FARM_PUSH ? collect(f, observed) : kind == FARM_PULL ? fetch(f, observed) : relay(f, observed);
	case FARM_STAGE:
		return relay(f, observed);
	default:
		return ST_OK;
	}
}

int farm_play(struct farm *f, bool observed)
{
	return observed ? play(f, true) : play(f, false);
}

int farm_post(struct farm *f, struct box *b)
{
	return post(f, b);
}
