/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages under way between this rank and each other rank, for backends that move and match them
 * themselves. Everything on a message's path is inlined.
 */
#ifndef NETBENCH_BACKENDS_TRAFFIC_H
#define NETBENCH_BACKENDS_TRAFFIC_H

#include "base/error.h"
#include "job/job.h"
#include "job/watchdog.h"
#include "net/wait.h"
#include "transport/match.h"

/* This rank's messages to and from one rank; first member of the backend's own struct. */
struct partner {
	struct queue sends;		/* not entirely sent */
	struct queue recvs;
	int rank;
	bool active;			/* listed in traffic.active */
};

/* All messages of this rank; first member of the backend's own struct. */
struct traffic {
	struct endpoint ep;
	struct match match;
	struct pool pool;
	struct partner **active;	/* ranks with messages under way */
	uint32_t nactive;
	bool moved;			/* the last poll moved something */
	uint64_t idle;			/* polls in a row that found nothing */
	struct patience patience;
};

static inline void traffic_activate(struct traffic *t, struct partner *p)
{
	if (!p->active) {
		p->active = true;
		t->active[t->nactive++] = p;
	}
}

/* Posts a receive from a rank; NULL: from any. */
static inline void traffic_recv(struct traffic *t, struct partner *p, struct request *r)
{
	match_post(&t->match, p ? &p->recvs : NULL, r);
	if (p)
		traffic_activate(t, p);
}

/* This rank is about to sleep: tells the watchdog for which rank. */
static inline void traffic_sleeps(const struct traffic *t)
{
	bool several = t->match.any.first || !t->nactive;

	doing_wait(t->ep.job->doing, several ? -1 : t->active[0]->rank);
}

/*
 * Moves once what can be moved: `move` does so for a rank, `pull` for one message of a rank, and
 * each yields the number of requests completed, or less than 0 after a failure. A rank for which
 * `busy` is false leaves the list. Yields the sum, or that failure.
 */
MATCH_INLINE int traffic_progress(struct traffic *t,
				  int (*move)(struct traffic *t, struct partner *p),
				  bool (*busy)(const struct partner *p),
				  int (*pull)(struct endpoint *ep, uint32_t rank))
{
	int done = 0, n;

	for (uint32_t i = 0; i < t->nactive;) {
		struct partner *p = t->active[i];

		n = move(t, p);
		if (n < 0)
			return n;
		done += n;
		if (busy(p)) {
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

/* Hook `wait` of a backend with this `poll`. */
MATCH_INLINE int traffic_wait(struct endpoint *ep, struct request *r,
			      int (*poll)(struct endpoint *ep))
{
	while (!r->done)
		if (poll(ep) < 0)
			return ST_FAILED;
	return ST_OK;
}

#endif
