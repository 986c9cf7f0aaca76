/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/aggressor.h"

#include <math.h>

#include "base/error.h"
#include "cmd/load/actor.h"

#define INLINE static inline __attribute__((always_inline))

#define ACK 1		/* bytes of an aggressor's answer to a message */

/* An aggressor's messages in flight, and the marks that it has received. */
struct aggressor_state {
	uint64_t sent, in_flight;
	int marks;		/* marks received from ranks that send here */
};

INLINE int send_pattern_message(struct actor *a, struct aggressor_state *p)
{
	const struct cast *c = a->args.cast;
	int to = cast_receiver(c, a->epoch.traffic, a->place, p->sent);
	struct head head = { p->sent++, (uint64_t)a->rank };

	p->in_flight++;
	return send_from_ring(a, &a->out, c->aggressor[to], &head, sizeof(head),
			      a->args.aggressor_size);
}

/*
 * Handles a received message: an acknowledgement, a mark, or data. Data is acknowledged. Returns
 * ST_OK or another ST_*.
 */
INLINE int handle_message(struct actor *a, struct aggressor_state *p)
{
	const struct request *r = next_receive(a);
	double t = actor_now(a);
	struct head head;
	char ack = 1;

	if (r->len == ACK) {
		p->in_flight--;
		return release_buffer(a, a->args.aggressor_size);
	}
	memcpy(&head, next_receive_buf(a), sizeof(head));
	if (head.number == MARK) {
		p->marks++;
		return release_buffer(a, a->args.aggressor_size);
	}
	a->did.checked++;
	a->did.errors += head.from != (uint64_t)r->peer || r->len != a->args.aggressor_size;
	if (t >= a->counted && t < a->end)
		a->did.bytes += (double)r->len;
	if (send_from_ring(a, &a->acks, r->peer, &ack, sizeof(ack), ACK))
		return ST_FAILED;
	return release_buffer(a, a->args.aggressor_size);
}

/*
 * Sends until the end of the epoch: at the drawn times if `paced`, else whenever the window allows.
 * Handles all messages that arrive. Returns ST_OK or another ST_*.
 */
INLINE int send_until_end(struct actor *a, struct aggressor_state *p, const bool paced)
{
	bool sends = cast_sends_any(a->args.cast, a->epoch.traffic, a->place);
	uint32_t most = paced ? actor_slots(&a->args) : a->args.window;

	for (double t = look_at_clock(a), until; t < a->end; t = look_at_clock(a)) {
		bool more = sends && p->in_flight < most && (!paced || p->sent < a->ndue);

		if (more && (!paced || a->due[p->sent] <= t)) {
			if (paced)
				a->did.late_s = fmax(a->did.late_s, t - a->due[p->sent]);
			if (send_pattern_message(a, p))
				return ST_FAILED;
			continue;
		}
		until = more ? fmin(a->due[p->sent], a->end) : a->end;
		if (wait_until(a, next_receive(a), until))
			return ST_FAILED;
		if (next_receive(a)->done && handle_message(a, p))
			return ST_FAILED;
	}
	return ST_OK;
}

int aggressor_run(struct actor *a)
{
	const struct cast *c = a->args.cast;
	struct aggressor_state p = { .sent = 0 };
	struct head mark = { MARK, (uint64_t)a->rank };
	int senders = 0, err;

	for (int i = 0; i < c->naggressors; i++)
		senders += cast_sends(c, a->epoch.traffic, i, a->place);
	err = a->epoch.gap_s > 0 ? send_until_end(a, &p, true) : send_until_end(a, &p, false);
	/*
	 * while it had a processor, it posted all it could: its window was full, or nothing was
	 * due
	 */
	a->did.posted = 1 - fmin(1, a->absent / (a->end - a->begin));
	if (a->ndue)
		a->did.posted = fmax(a->did.posted, (double)p.sent / (double)a->ndue);
	for (int i = 0; i < c->naggressors && !err; i++)
		if (cast_sends(c, a->epoch.traffic, a->place, i))
			err = send_from_ring(a, &a->out, c->aggressor[i], &mark, sizeof(mark),
					     sizeof(mark));
	while (!err && (p.marks < senders || p.in_flight)) {
		err = a->be->wait(a->ep, next_receive(a));
		if (!err)
			err = handle_message(a, &p);
	}
	return err;
}
