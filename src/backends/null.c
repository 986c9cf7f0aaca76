/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `null` completes every transfer at once and moves no bytes. So a run with this backend
 * measures the time of netbench's own loop. This file, built as a module, is also the smallest
 * example of a module.
 */
#include <stdlib.h>

#include "transport/host.h"
#include "base/clock.h"
#include "transport/round.h"

#define CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS)

static int open_null(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	*ep = malloc(sizeof(**ep));
	if (!*ep)
		return error_report("no memory for backend 'null'");
	**ep = (struct endpoint){ .job = job, .caps = CAPS,
				  .limits = { SIZE_MAX, UINT32_MAX, UINT64_MAX, 0 },
				  .tick_s = host_clock.tick_s };
	return ST_OK;
}

static void close_null(struct endpoint *ep)
{
	free(ep);
}

static void *alloc(struct endpoint *ep, size_t len)
{
	return aligned_alloc(64, 64);
}

static inline int post(struct endpoint *ep, const struct xfer *x)
{
	return 1;
}

static inline int poll(struct endpoint *ep)
{
	return 0;
}

static int run_round(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver d = { .post = post, .poll = poll, .ticks = host_ticks };

	return round_drive(ep, r, d, seconds);
}

static void describe(struct endpoint *ep, struct facts *f)
{
	fact_text(f, "method", "nothing is carried");
}

NETBENCH_EXPORT const struct backend netbench_backend = {
	.abi = BACKEND_ABI,
	.name = "null",
	.summary = "carries nothing: measures netbench's own loop",
	.caps = CAPS,
	.max_ranks = 4096,
	.open = open_null, .close = close_null, .alloc = alloc, .release = host_release,
	.run = run_round, .describe = describe,
};
