/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Helpers for backends that move and match messages themselves. They keep track of the messages in
 * flight between this rank and each other rank. Every function that a message passes through is
 * inlined.
 */
#ifndef NETBENCH_BACKENDS_TRAFFIC_H
#define NETBENCH_BACKENDS_TRAFFIC_H

#include "base/error.h"
#include "job/job.h"
#include "job/watchdog.h"
#include "net/wait.h"
#include "transport/match.h"

/*
 * This rank's messages in flight to and from one other rank. Must be the first member of the
 * backend's own struct for that rank.
 */
struct partner {
	struct queue sends;		/* sends that are not complete yet */
	struct queue recvs;
	int rank;
	bool active;			/* traffic.active contains this struct */
};

/*
 * All messages of this rank that are in flight. Must be the first member of the backend's own
 * endpoint struct.
 */
struct traffic {
	struct endpoint ep;
	struct match match;
	struct pool pool;
	struct partner **active;	/* ranks with messages in flight */
	uint32_t nactive;
	bool moved;			/* the latest poll moved something */
	uint64_t idle;			/* number of consecutive polls that moved nothing */
	struct patience patience;
};

/* Adds a rank to the list of ranks with messages in flight, unless the list has it already. */
static inline void traffic_activate(struct traffic *t, struct partner *p)
{
	if (!p->active) {
		p->active = true;
		t->active[t->nactive++] = p;
	}
}

/* Posts a receive from one rank, or from any rank if p is NULL. */
static inline void traffic_post_recv(struct traffic *t, struct partner *p, struct request *r)
{
	match_post(&t->match, p ? &p->recvs : NULL, r);
	if (p)
		traffic_activate(t, p);
}

/*
 * Tells the watchdog for which rank this rank waits (-1: for several). Call this function before
 * the rank sleeps.
 */
static inline void traffic_report_sleep(const struct traffic *t)
{
	bool several = t->match.any.first || !t->nactive;

	doing_wait(t->ep.job->doing, several ? -1 : t->active[0]->rank);
}

/*
 * Makes progress once on all messages in flight. `move` makes progress with one rank. `pull`
 * receives at most one message from one rank. Both return the number of completed requests, or a
 * negative number after a failure. Removes a rank from the list of active ranks when `is_busy`
 * returns false for the rank. Returns the sum of all completed requests, or the first negative
 * result.
 */
MATCH_INLINE int traffic_progress(struct traffic *t,
				  int (*move)(struct traffic *t, struct partner *p),
				  bool (*is_busy)(const struct partner *p),
				  int (*pull)(struct endpoint *ep, uint32_t rank))
{
	int done = 0, n;

	for (uint32_t i = 0; i < t->nactive;) {
		struct partner *p = t->active[i];

		n = move(t, p);
		if (n < 0)
			return n;
		done += n;
		if (is_busy(p)) {
			i++;
			continue;
		}
		p->active = false;
		t->active[i] = t->active[--t->nactive];
	}
	if (t->match.any.first) {
		n = match_turns(&t->match, (uint32_t)t->ep.job->size, &t->ep, pull);
		done = n < 0 ? n : done + n;
	}
	return done;
}

/* Implements a backend's hook `wait` by calling `poll` until r is done. */
MATCH_INLINE int traffic_wait(struct endpoint *ep, struct request *r,
			      int (*poll)(struct endpoint *ep))
{
	while (!r->done)
		if (poll(ep) < 0)
			return ST_FAILED;
	return ST_OK;
}

#endif
