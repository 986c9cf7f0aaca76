/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks for backends that use the host's clock and the process's own memory. */
#ifndef NETBENCH_TRANSPORT_HOST_H
#define NETBENCH_TRANSPORT_HOST_H

#include <stdlib.h>
#include <string.h>

#include "transport/backend.h"
#include "base/clock.h"

/*
 * Hook `now`, and driver.ticks of round.h: returns the host clock in ticks. Here and below,
 * casts to void avoid warnings about unused parameters when external modules are built.
 */
static inline double host_ticks(struct endpoint *ep)
{
	(void)ep;
	return clock_ticks();
}

/* Hook `compute`: keeps the processor busy for `seconds` by clock_spin. */
static inline void host_compute(struct endpoint *ep, double seconds)
{
	(void)ep;
	clock_spin(seconds);
}

/* Hook `alloc`: returns zeroed memory, aligned to a page; NULL if memory is short. */
static inline void *host_alloc(struct endpoint *ep, size_t len)
{
	size_t bytes = (len + BACKEND_PAGE) / BACKEND_PAGE * BACKEND_PAGE;
	void *p = aligned_alloc(BACKEND_PAGE, bytes);

	(void)ep;
	if (p)
		memset(p, 0, bytes);
	return p;
}

/*
 * Memory that a backend has registered as a whole. It is allocated in pages, which are never freed
 * one by one.
 */
struct arena {
	char *at;
	size_t len, used;
};

/* Returns zeroed pages for `len` bytes; NULL if too few are left. */
static inline void *arena_take(struct arena *a, size_t len)
{
	size_t room = (len + BACKEND_PAGE - (len > 0)) / BACKEND_PAGE * BACKEND_PAGE;
	char *p = a->at + a->used;

	if (room > a->len - a->used)
		return NULL;
	a->used += room;
	return memset(p, 0, room);
}

static inline void arena_release(struct endpoint *ep, void *buf)
{
	(void)ep;
	(void)buf;
}

static inline void host_release(struct endpoint *ep, void *buf)
{
	(void)ep;
	free(buf);
}

#endif
