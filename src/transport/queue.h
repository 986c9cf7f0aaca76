/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests in order, and the requests that a round uses again and again: for backends that keep
 * their own.
 */
#ifndef NETBENCH_TRANSPORT_QUEUE_H
#define NETBENCH_TRANSPORT_QUEUE_H

#include <stdlib.h>

#include "transport/backend.h"
#include "base/error.h"

/* Requests in order. A zeroed struct is empty. */
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

static inline struct request *queue_take(struct queue *q)
{
	struct request *r = q->first;

	q->first = r->next;
	return r;
}

/* A request for the message in buf[0..len), or for room there. */
static inline void request_init(struct request *r, void *buf, size_t len)
{
	r->done = false;
	r->buf = buf;
	r->len = r->room = len;
	r->at = 0;
}

/* The requests of rounds, as many as the widest step has in flight. A zeroed struct is empty. */
struct pool {
	struct request *free, *mem;
	uint32_t size;
};

/* Marks a request as done; one of a round's is only counted, and used again. */
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

/* Makes the pool large enough for a round; between rounds only. ST_OK or ST_FAILED. */
static inline int pool_arm(struct pool *p, const struct round *r)
{
	uint64_t most = round_in_flight(r);

	if (most <= p->size)
		return ST_OK;
	if (most > UINT32_MAX)
		return error_report("a window of %llu messages is too wide",
				    (unsigned long long)most);
	free(p->mem);
	p->mem = calloc(most, sizeof(*p->mem));
	p->size = p->mem ? (uint32_t)most : 0;
	p->free = NULL;
	for (uint32_t i = 0; i < p->size; i++)
		pool_done(p, &p->mem[i]);
	return p->mem ? ST_OK
		      : error_report("no memory for %llu requests", (unsigned long long)most);
}

#endif
