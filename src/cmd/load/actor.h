/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One rank's state in an epoch of `load`, and the message operations that all roles use. The inline
 * functions run between two readings of the clock.
 */
#ifndef NETBENCH_CMD_LOAD_ACTOR_H
#define NETBENCH_CMD_LOAD_ACTOR_H

#include <sched.h>
#include <string.h>

#include "base/error.h"
#include "cmd/load/epoch.h"
#include "job/job.h"
#include "transport/backend.h"

#define MARK UINT64_MAX	/* number of the final message of an epoch */

/* Receives that an aggressor has posted. */
#define LOAD_DEPTH 64

/* The first bytes of an aggressor's message. */
struct head {
	uint64_t number, from;
};
_Static_assert(sizeof(struct head) == LOAD_AGGRESSOR_LEAST, "a head fits into any message");

/* A ring of requests that are used in turn. Each request has a buffer. */
struct message_slots {
	struct request *req;
	void *const *buf;
	uint32_t n;
	uint64_t posted, taken;
};

/* Times of a victim's event, in ticks. */
struct event {
	double due, sent, ended;
};

struct actor {
	struct endpoint *ep;
	const struct backend *be;
	struct load_args args;
	struct load_epoch epoch;
	enum load_role role;
	/* place: index in the list of its role; partner: the other victim of its pair */
	int rank, place, partner;
	struct message_slots in, out, acks;
	struct group *group;		/* this rank's part in a group of victims; NULL: none */
	struct event *events;		/* events of this rank, an asking victim */
	size_t room, nevents, nended;
	/* times at which events of an open loop begin, or a paced aggressor sends, in ticks */
	double *due;
	size_t ndue;
	/* begin of the epoch, begin of the counted part, and end of the epoch, in ticks */
	double begin, counted, end;
	/*
	 * time of the latest look at the clock, and the longest time between two looks of a rank
	 * that has a processor, in ticks
	 */
	double looked, longest_look;
	double absent;			/* time during which this rank had no processor, in ticks */
	struct load_outcome did;
};

static inline double actor_now(const struct actor *a)
{
	return a->be->now(a->ep);
}

/*
 * Returns the time, in ticks. If the previous look was too long ago, this rank had no processor in
 * between: adds that time to a->absent.
 */
static inline double look_at_clock(struct actor *a)
{
	double t = actor_now(a), since = t - a->looked;

	if (since > a->longest_look)
		a->absent += since;
	a->looked = t;
	return t;
}

/* Returns whether ranks of this machine share processors, so that a rank must not spin. */
static inline bool actor_shares_cpus(const struct actor *a)
{
	return a->ep->job->local_size > a->ep->job->cpus;
}

/* Returns the oldest posted receive. */
static inline struct request *next_receive(struct actor *a)
{
	return &a->in.req[a->in.taken % a->in.n];
}

static inline void *next_receive_buf(struct actor *a)
{
	return a->in.buf[a->in.taken % a->in.n];
}

static inline int post_receive(struct actor *a, size_t room)
{
	uint64_t slot = a->in.posted++ % a->in.n;
	int peer = a->role == LOAD_ROLE_AGGRESSOR ? PEER_ANY : a->partner;

	return a->be->irecv(a->ep, peer, a->in.buf[slot], room, &a->in.req[slot]);
}

/* Posts the next receive into the buffer of the received message. Returns ST_OK or another ST_*. */
static inline int release_buffer(struct actor *a, size_t room)
{
	a->in.taken++;
	return post_receive(a, room);
}

/*
 * Waits until the next slot of a ring is free. Copies n bytes of `head` to its buffer, then sends
 * the first `len` bytes of the buffer. Returns ST_OK or another ST_*.
 */
static inline int send_from_ring(struct actor *a, struct message_slots *r, int peer,
				 const void *head, size_t n, size_t len)
{
	uint64_t slot = r->posted++ % r->n;
	int err = r->req[slot].done ? ST_OK : a->be->wait(a->ep, &r->req[slot]);

	if (err)
		return err;
	memcpy(r->buf[slot], head, n);
	return a->be->isend(a->ep, peer, r->buf[slot], len, &r->req[slot]);
}

/*
 * Waits until a receive completes, or until the time `until` (ticks). Returns ST_OK or another
 * ST_*.
 */
static inline int wait_until(struct actor *a, struct request *r, double until)
{
	bool shares = actor_shares_cpus(a);
	int err = ST_OK;

	if (a->be->wait_until)
		return a->be->wait_until(a->ep, r, until);
	while (!err && !r->done && look_at_clock(a) < until) {
		err = a->be->test(a->ep, r);
		if (shares && !r->done)
			sched_yield();
	}
	return err;
}

/* Returns the number of messages for which an aggressor has buffers. */
uint32_t actor_slots(const struct load_args *a);

/* Waits until a time, in ticks, without receiving anything. */
void actor_pause_until(struct actor *a, double until);

/* Completes the sends of a ring. Returns ST_OK or another ST_*. */
int actor_complete_sends(struct actor *a, struct message_slots *r);

#endif
