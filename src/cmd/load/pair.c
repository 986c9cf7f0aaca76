/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/pair.h"

#include <math.h>

#include "base/error.h"
#include "cmd/load/actor.h"

#define INLINE static inline __attribute__((always_inline))

/*
 * Sends the messages of an event. Each message begins with the number of the event. Returns ST_OK
 * or another ST_*.
 */
INLINE int send_event(struct actor *a, uint64_t number, const uint32_t messages)
{
	int err = ST_OK;

	for (uint32_t i = 0; i < messages && !err; i++)
		err = send_from_ring(a, &a->out, a->partner, &number, sizeof(number),
				     a->args.victim_size);
	return err;
}

/* Receives the reply to event i and stores the time of its end. Returns ST_OK or another ST_*. */
INLINE int receive_reply(struct actor *a, size_t i)
{
	uint64_t number;

	memcpy(&number, next_receive_buf(a), sizeof(number));
	a->did.checked++;
	a->did.errors += number != i;
	a->events[i].ended = actor_now(a);
	a->nended++;
	return release_buffer(a, a->args.victim_size);
}

/* Closed loop: an event begins when the previous event has ended. */
INLINE int run_closed_loop(struct actor *a, const uint32_t messages)
{
	for (double t = actor_now(a); t < a->end && a->nevents < a->room; t = actor_now(a)) {
		size_t i = a->nevents++;

		a->events[i].due = a->events[i].sent = t;
		if (send_event(a, i, messages) || a->be->wait(a->ep, next_receive(a)) ||
		    receive_reply(a, i))
			return ST_FAILED;
	}
	return ST_OK;
}

/* Open loop: events begin at times that were drawn before the epoch. */
INLINE int run_open_loop(struct actor *a, const uint32_t messages)
{
	size_t sent = 0, backlog, due = 0;

	for (double t = actor_now(a), until; t < a->end; t = actor_now(a)) {
		bool more;

		while (due < a->nevents && a->events[due].due <= t)
			due++;
		backlog = due - a->nended;
		if (backlog > a->did.backlog_most)
			a->did.backlog_most = backlog;
		more = sent - a->nended < a->args.outstanding;
		if (sent < due && more) {
			a->events[sent].sent = t;
			if (send_event(a, sent, messages))
				return ST_FAILED;
			sent++;
			continue;
		}
		until = sent < a->nevents && more ? fmin(a->events[sent].due, a->end) : a->end;
		if (wait_until(a, next_receive(a), until))
			return ST_FAILED;
		if (next_receive(a)->done && receive_reply(a, a->nended))
			return ST_FAILED;
	}
	a->did.unanswered = due - a->nended;
	for (size_t i = a->nended; i < sent; i++, a->in.taken++)
		if (a->be->wait(a->ep, next_receive(a)) || post_receive(a, a->args.victim_size))
			return ST_FAILED;
	return ST_OK;
}

INLINE int answer_events(struct actor *a, const uint32_t messages)
{
	size_t len = a->args.victim == VICTIM_BANDWIDTH ? LOAD_VICTIM_LEAST : a->args.victim_size;

	for (;;) {
		uint64_t number = 0;

		for (uint32_t i = 0; i < messages; i++) {
			if (a->be->wait(a->ep, next_receive(a)))
				return ST_FAILED;
			memcpy(&number, next_receive_buf(a), sizeof(number));
			if (release_buffer(a, a->args.victim_size))
				return ST_FAILED;
			if (number == MARK)
				return ST_OK;
		}
		if (send_from_ring(a, &a->out, a->partner, &number, sizeof(number), len))
			return ST_FAILED;
	}
}

INLINE int run_victim(struct actor *a, const uint32_t messages)
{
	int err;

	if (a->role == LOAD_ROLE_ANSWERER)
		return answer_events(a, messages);
	err = a->args.rate > 0 ? run_open_loop(a, messages) : run_closed_loop(a, messages);
	return err ? err : send_event(a, MARK, 1);	/* the mark stops the answering victim */
}

/* The loops are compiled for a single message and for any number. */
int pair_run(struct actor *a, uint32_t messages)
{
	return messages == 1 ? run_victim(a, 1) : run_victim(a, messages);
}
