/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `pipes`: a POSIX pipe for each ordered pair of ranks of one machine. An example of a
 * backend that is built outside netbench; README.md describes how.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/error.h"
#include "job/job.h"
#include "transport/host.h"
#include "transport/match.h"
#include "transport/round.h"

#define RANKS 32
#define CAPS (CAP_RING | CAP_PAIR | CAP_WINDOW | CAP_STAMPS | CAP_CONTENT | CAP_EACH)

/* Values of the backend's own options, in the order of wait_names. */
enum waiting { YIELD, SPIN, BLOCK };
struct pipes_opts {
	uint64_t wait;
};

static const char *const wait_names[] = { "yield", "spin", "block", NULL };
static const struct opt pipes_options[] = {
	{ 0, "pipes-wait", "how", OPT_CHOICE, offsetof(struct pipes_opts, wait), .def = "yield",
	  .choices = wait_names,
	  .help = "waiting for a message: spin, yield (the processor between polls), block (asleep "
		  "in poll)" },
	{ 0 },
};

/* One rank's endpoint. The pipes to all ranks come first, then the pipes from all ranks. */
struct pipes {
	struct endpoint ep;
	const struct pipes_opts *options;
	struct pool pool;		/* requests of the round */
	struct way {
		int fd;
		struct queue q;		/* requests in progress, in order of posting */
	} way[2 * RANKS];
};

/* ---- a round ---- */

/* Starts a transfer. Returns 0: it is in progress. */
static inline int post(struct endpoint *ep, const struct xfer *x)
{
	struct pipes *p = (struct pipes *)ep;

	queue_add(&p->way[x->op == OP_SEND ? x->peer : RANKS + x->peer].q,
		  pool_take(&p->pool, x->buf, x->len));
	return 0;
}

/* Pipes have no doorbell, so posted messages do not wait for this call. */
static inline void flush(struct endpoint *ep)
{
	(void)ep;
}

/*
 * Moves the part of a message that the pipe can take or has. A mark of one byte precedes each
 * message, so that a message of 0 bytes travels as well; r->at counts the mark, too. Returns true
 * if bytes were moved; otherwise errno has the reason.
 */
static inline bool move(int fd, struct request *r, bool out)
{
	size_t skip = r->at ? r->at - 1 : 0;
	char mark = 0;
	struct iovec parts[] = { { &mark, !r->at }, { (char *)r->buf + skip, r->len - skip } };
	ssize_t n = out ? writev(fd, parts, 2) : readv(fd, parts, 2);

	r->at += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* Sleeps until a pipe has the data or the room that a transfer waits for; at most 100 ms. */
static void sleep_for_any(struct pipes *p)
{
	struct pollfd fds[2 * RANKS];
	nfds_t n = 0;

	for (int i = 0; i < 2 * RANKS; i++)
		if (p->way[i].q.first)
			fds[n++] = (struct pollfd){ .fd = p->way[i].fd,
						    .events = i < RANKS ? POLLOUT : POLLIN };
	poll(fds, n, 100);
}

/* Waits in the way that the option chose, after a poll without progress. */
static void wait_more(struct pipes *p)
{
	if (p->options->wait == YIELD)
		sched_yield();
	else if (p->options->wait == BLOCK)
		sleep_for_any(p);
}

/* Makes progress on all pipes. Returns how many transfers are complete, or a negative status. */
static inline int progress(struct endpoint *ep)
{
	struct pipes *p = (struct pipes *)ep;
	int done = 0;

	for (int i = 0; i < 2 * RANKS; i++) {
		struct way *w = &p->way[i];

		while (w->q.first && move(w->fd, w->q.first, i < RANKS)) {
			if (w->q.first->at <= w->q.first->len)
				continue;
			pool_done(&p->pool, queue_take(&w->q));
			done++;
		}
		if (w->q.first && errno != EAGAIN)
			return -error_report("rank %d: the pipe %s rank %d failed: %s",
					     ep->job->rank, i < RANKS ? "to" : "from", i % RANKS,
					     strerror(errno));
	}
	if (!done)
		wait_more(p);
	return done;
}

static int arm(struct endpoint *ep, const struct round *r)
{
	return pool_arm(&((struct pipes *)ep)->pool, r);
}

static int run(struct endpoint *ep, const struct round *r, double *seconds)
{
	const struct driver d = { .post = post, .flush = flush, .poll = progress,
				  .ticks = host_ticks };

	return round_drive(ep, r, d, seconds);
}

/* ---- the endpoint ---- */

/* Each rank makes the pipes that it reads from. The writers open them through /proc. */
static int open_pipes(struct endpoint **ep, struct job *job, const void *options, size_t heap)
{
	struct card { pid_t pid; int fd[RANKS]; } mine = { .pid = getpid() };
	struct pipes *p = calloc(1, sizeof(*p));
	const struct card *all;
	char path[64];
	int ends[2];

	(void)heap;	/* for backends that register memory */
	if (!p)
		return error_report("no memory for backend 'pipes'");
	p->ep = (struct endpoint){ .job = job,
				   .caps = CAPS,
				   .tick_s = host_clock.tick_s,
				   .limits = { SIZE_MAX / 2, UINT32_MAX / 4, UINT64_MAX,
					       SIZE_MAX } };
	p->options = options;
	*ep = &p->ep;
	for (int r = 0; r < job->size; r++) {
		if (pipe2(ends, O_NONBLOCK | O_CLOEXEC))
			return error_report("rank %d: no pipe: %s", job->rank, strerror(errno));
		p->way[RANKS + r].fd = ends[0];
		mine.fd[r] = ends[1];
	}
	all = job->kind->allgather(job, &mine, sizeof(mine));
	for (int r = 0; r < job->size; r++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)all[r].pid,
			 all[r].fd[job->rank]);
		p->way[r].fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (p->way[r].fd < 0)
			return error_unavailable("rank %d cannot open '%s' of rank %d: %s",
						 job->rank, path, r, strerror(errno));
	}
	job->kind->barrier(job);	/* until all ranks have opened their ends */
	for (int r = 0; r < job->size; r++)
		close(mine.fd[r]);
	return ST_OK;
}

static void close_pipes(struct endpoint *ep)
{
	struct pipes *p = (struct pipes *)ep;

	for (int i = 0; p && i < ep->job->size; i++) {
		close(p->way[i].fd);
		close(p->way[RANKS + i].fd);
	}
	if (p)
		free(p->pool.mem);
	free(p);
}

/* Adds the facts of this endpoint to the record of the run. */
static void describe(struct endpoint *ep, struct facts *f)
{
	fact_text(f, "method", "a pipe for each ordered pair of ranks");
	fact_text(f, "waiting", wait_names[((struct pipes *)ep)->options->wait]);
	fact_int(f, "pipe_B", fcntl(((struct pipes *)ep)->way[0].fd, F_GETPIPE_SZ));
}

NETBENCH_EXPORT const struct backend netbench_backend = {
	.abi = BACKEND_ABI,
	.name = "pipes",
	.summary = "POSIX pipes between processes of one machine",
	.caps = CAPS,
	.max_ranks = RANKS,
	.options = pipes_options,
	.options_size = sizeof(struct pipes_opts),
	.open = open_pipes,
	.close = close_pipes,
	.alloc = host_alloc,
	.release = host_release,
	.arm = arm,
	.run = run,
	.describe = describe,
};
