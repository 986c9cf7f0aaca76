/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks for backends that use the host's clock and the process's own memory. */
#ifndef NETBENCH_TRANSPORT_HOST_H
#define NETBENCH_TRANSPORT_HOST_H

#include <stdlib.h>
#include <string.h>

#include "transport/backend.h"
#include "base/clock.h"

static inline double host_ticks(struct endpoint *ep)
{
	(void)ep;
	return clock_ticks();
}

static inline void host_compute(struct endpoint *ep, double seconds)
{
	(void)ep;
	clock_spin(seconds);
}

static inline void *host_alloc(struct endpoint *ep, size_t len)
{
	size_t bytes = (len + BACKEND_PAGE) / BACKEND_PAGE * BACKEND_PAGE;
	void *p = aligned_alloc(BACKEND_PAGE, bytes);

	(void)ep;
	if (p)
		memset(p, 0, bytes);
	return p;
}

static inline void host_release(struct endpoint *ep, void *buf)
{
	(void)ep;
	free(buf);
}

#endif
