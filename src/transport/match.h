/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues of requests, and the search for the receive that matches a message. Used by backends that
 * match messages themselves.
 *
 * A message matches the oldest unmatched receive whose peer is the message's sender or PEER_ANY. A
 * backend keeps a queue of receives for each peer, and a struct match for receives from PEER_ANY.
 * This suffices if messages can stay in a ring or a socket until match_queue returns a receive.
 * Otherwise the backend keeps early messages as arrivals. All functions that a message passes
 * through are inlined.
 */
#ifndef NETBENCH_TRANSPORT_MATCH_H
#define NETBENCH_TRANSPORT_MATCH_H

#include "transport/backend.h"

#define MATCH_INLINE static inline __attribute__((always_inline))

/* ---- requests ---- */

/* A queue of requests, first in, first out. A zeroed struct is an empty queue. */
struct queue {
	struct request *first, **last;
};

static inline void queue_add(struct queue *q, struct request *r)
{
	r->next = NULL;
	if (!q->first)
		q->last = &q->first;
	*q->last = r;
	q->last = &r->next;
}

/* Removes and returns the first request. The queue must not be empty. */
static inline struct request *queue_take(struct queue *q)
{
	struct request *r = q->first;

	q->first = r->next;
	return r;
}

/*
 * Initialises a request: to send the message buf[0..len), or to receive at most len bytes into buf.
 */
static inline void request_init(struct request *r, void *buf, size_t len)
{
	r->done = false;
	r->buf = buf;
	r->len = r->room = len;
	r->at = 0;
}

/*
 * The free requests for rounds. There are as many as the largest number of transfers that a step
 * has in flight. A zeroed struct is an empty pool.
 */
struct pool {
	struct request *free, *mem;
	uint32_t size;
};

/*
 * Makes the pool large enough for a round. Call it between rounds only. Returns ST_OK or ST_FAILED.
 */
NETBENCH_EXPORT int pool_arm(struct pool *p, const struct round *r);
NETBENCH_EXPORT void pool_free(struct pool *p);

/* Marks a request as done. If it belongs to the pool, puts it back into the pool. */
static inline void pool_done(struct pool *p, struct request *r)
{
	r->done = true;
	if (r >= p->mem && r < p->mem + p->size) {
		r->next = p->free;
		p->free = r;
	}
}

static inline struct request *pool_take(struct pool *p, void *buf, size_t len)
{
	struct request *r = p->free;

	p->free = r->next;
	request_init(r, buf, len);
	return r;
}

/* ---- matching ---- */

/*
 * A message that arrived before its receive was posted. It is the first member of the struct that
 * the backend uses for such a message.
 */
struct arrival {
	struct arrival *next;
	int from;
};

/* One rank's receives from PEER_ANY, and its early messages. A zeroed struct is empty. */
struct match {
	struct queue any;
	/*
	 * number of receives posted so far; posting a receive stores this number in the receive's
	 * request.id
	 */
	uint64_t posted;
	uint32_t turn;			/* rank that is checked first for a receive from any rank */
	struct arrival *early, **last_early;
};

/*
 * Posts a receive. `own` is the queue of receives from its peer; NULL: the receive is from
 * PEER_ANY.
 */
static inline void match_post(struct match *m, struct queue *own, struct request *r)
{
	r->id = m->posted++;
	queue_add(own ? own : &m->any, r);
}

/*
 * Returns the queue whose first receive matches the next message from a rank; NULL: no receive
 * matches. `own` is the queue of receives from this rank.
 */
static inline struct queue *match_queue(struct match *m, struct queue *own)
{
	const struct request *mine = own->first, *any = m->any.first;

	if (mine && (!any || mine->id < any->id))
		return own;
	return any ? &m->any : NULL;
}

/*
 * Finds the receive as match_queue does, removes it from its queue, and returns it. Returns NULL if
 * no receive matches.
 */
static inline struct request *match_take(struct match *m, struct queue *own)
{
	struct queue *q = match_queue(m, own);

	return q ? queue_take(q) : NULL;
}

/*
 * Moves the receive that match_queue finds to the front of `own`, where it waits for the rest of
 * its message. A receive must match.
 */
static inline void match_bind(struct match *m, struct queue *own)
{
	struct request *r;

	if (match_queue(m, own) == own)
		return;
	r = queue_take(&m->any);
	r->next = own->first;
	if (!own->first)
		own->last = &r->next;
	own->first = r;
}

/* Keeps a message that no receive matches yet. The caller still owns the struct. */
static inline void match_keep(struct match *m, struct arrival *a)
{
	a->next = NULL;
	if (!m->early)
		m->last_early = &m->early;
	*m->last_early = a;
	m->last_early = &a->next;
}

/*
 * Removes and returns the oldest kept message from rank `peer`, or from any rank if `peer` is
 * PEER_ANY; NULL if there is none.
 */
static inline struct arrival *match_early(struct match *m, int peer)
{
	struct arrival **at = &m->early, *a;

	while (*at && peer != PEER_ANY && (*at)->from != peer)
		at = &(*at)->next;
	a = *at;
	if (!a)
		return NULL;
	*at = a->next;
	if (!a->next)
		m->last_early = at;
	return a;
}

/*
 * While receives from PEER_ANY wait, calls `pull` for one rank after the other, so that no rank is
 * preferred. Begins after the rank that most recently delivered a message. `pull` accepts at most
 * one message from a rank, and returns the number of completed receives, or a negative number on
 * failure. Returns the sum of these numbers, or, on failure, the negative number.
 */
MATCH_INLINE int match_turns(struct match *m, uint32_t nranks, struct endpoint *ep,
			     int (*pull)(struct endpoint *ep, uint32_t rank))
{
	uint32_t first = m->turn;
	int done = 0;

	for (uint32_t i = 0; i < nranks && m->any.first; i++) {
		uint32_t rank = (first + i) % nranks;
		int n = pull(ep, rank);

		if (n < 0)
			return n;
		if (n)
			m->turn = (rank + 1) % nranks;
		done += n;
	}
	return done;
}

/* ---- arrivals ---- */

/*
 * Counts messages of one sender, for backends whose completions name the sender of a message but
 * not the receive. The sender's messages complete the receives from this sender in order. Either
 * the message or the receive may come first.
 */
struct arrivals {
	uint32_t expected;	/* number of receives that wait for a message */
	uint32_t early;		/* number of messages that wait for a receive */
};

/*
 * Counts a receive that the round has posted. Returns 1 if its message has already arrived,
 * otherwise 0.
 */
static inline int arrivals_expect(struct arrivals *a)
{
	if (a->early) {
		a->early--;
		return 1;
	}
	a->expected++;
	return 0;
}

/* Counts n messages that have arrived. Returns the number of receives that they complete. */
static inline int arrivals_add(struct arrivals *a, uint32_t n)
{
	uint32_t matched = n < a->expected ? n : a->expected;

	a->expected -= matched;
	a->early += n - matched;
	return (int)matched;
}

#endif
