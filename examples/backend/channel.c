/* SPDX-License-Identifier: Apache-2.0 */
/* Backend `channel`: two processes exchange messages by the library of channel.h. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include "base/error.h"
#include "job/job.h"
#include "transport/host.h"
#include "transport/match.h"
#include "transport/round.h"
#include "channel.h"

#define CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_CONTENT | CAP_EACH)

struct channels {
	struct endpoint ep;		/* must be the first member */
	struct pool pool;		/* requests of the messages in progress */
	struct queue sends, recvs;	/* the same requests, in order of posting */
	int out, in;			/* ends of the two channels */
};

/* Starts a message. Returns 0: it is in progress. */
static inline int post(struct endpoint *ep, const struct xfer *x)
{
	struct channels *c = (struct channels *)ep;

	queue_add(x->op == OP_SEND ? &c->sends : &c->recvs, pool_take(&c->pool, x->buf, x->len));
	return 0;
}

/* Moves messages, or yields. Returns how many are complete now; negative: failed. */
static inline int poll(struct endpoint *ep)
{
	struct channels *c = (struct channels *)ep;
	struct request *r;
	int done = 0, got = 0;

	for (; (r = c->sends.first) && (got = channel_send_msg(c->out, r->buf, r->len)) > 0; done++)
		pool_done(&c->pool, queue_take(&c->sends));
	for (; got >= 0 && (r = c->recvs.first) &&
	       (got = channel_get_msg(c->in, r->buf, r->len)) > 0; done++)
		pool_done(&c->pool, queue_take(&c->recvs));
	if (!done && got >= 0)
		sched_yield();
	return got < 0 ? -error_report("a channel failed: %s", strerror(errno)) : done;
}

static int arm(struct endpoint *ep, const struct round *r)
{
	return pool_arm(&((struct channels *)ep)->pool, r);
}

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver d = { .post = post, .poll = poll, .ticks = host_ticks };

	return round_drive(ep, r, d, seconds);
}

/* Makes the channel to this rank. When all ranks have done so, attaches to the next rank's. */
static int open_channels(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct channels *c = calloc(1, sizeof(*c));
	int pid = getpid(), key;

	(void)options, (void)heap;
	if (!c)
		return error_report("no memory for backend 'channel'");
	c->ep = (struct endpoint){ .job = job, .caps = CAPS, .tick_s = host_clock.tick_s,
				   .limits = { CHANNEL_MOST, 1 << 20, UINT64_MAX, SIZE_MAX } };
	*ep = &c->ep;
	key = *(const int *)job->kind->allgather(job, &pid, sizeof(pid));	/* pid of rank 0 */
	c->in = channel_create(key, job->rank);
	job->kind->barrier(job);
	c->out = channel_attach(key, (job->rank + 1) % job->size);
	if (c->in < 0 || c->out < 0)
		return error_report("rank %d has no channel: %s", job->rank, strerror(errno));
	return ST_OK;
}

static void close_channels(struct endpoint *ep)
{
	struct channels *c = (struct channels *)ep;

	if (!c)
		return;
	channel_close(c->in);
	channel_close(c->out);
	pool_free(&c->pool);
	free(c);
}

NETBENCH_EXPORT const struct backend netbench_backend = {
	.abi = BACKEND_ABI, .name = "channel", .summary = "channels between two processes",
	.caps = CAPS, .max_ranks = 2, .open = open_channels, .close = close_channels,
	.alloc = host_alloc, .release = host_release, .arm = arm, .run = run,
};
