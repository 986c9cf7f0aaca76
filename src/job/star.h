/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A TCP connection from every rank to rank 0. It carries collective services where nothing better
 * is at hand. In every job over several hosts, rank 0 notices the end of a rank by it.
 *
 * A thread, asleep on the connections, watches them while the ranks measure. A rank that loses rank
 * 0, or has a fault to report, ends; rank 0 then finds out which was lost, reports it once, and
 * tells the others. A host that falls silent counts as lost after NET_SILENCE_S. So does a rank if
 * its frames do not come as they were sent (net/channel.h). The thread is also the watchdog of its
 * rank.
 *
 * Where the run outlives its ranks (job.h), rank 0 warns of a lost rank and goes on without it; a
 * rank that tells of a fault ends the job as always.
 */
#ifndef NETBENCH_JOB_STAR_H
#define NETBENCH_JOB_STAR_H

#include <pthread.h>

#include "base/error.h"
#include "job/job.h"
#include "job/watchdog.h"
#include "net/rendezvous.h"

/* One connection. */
struct spoke {
	struct channel channel;	/* its fd is -1: none */
	int rank;		/* at its other end */
	char host[64];		/* of that rank */
	bool here;		/* its contribution to the collective under way has come */
	bool lost, told;	/* the connection broke; it told of a fault before */
	atomic_bool gone;	/* lost, and the run goes on without it: left alone from then on */
	int err;		/* with which it broke */
	int status;		/* with which it ends, if it told */
	char text[ERROR_TEXT];	/* of its fault */
};

struct star {
	struct job *job;
	struct doing doing;	/* the job's */
	atomic_bool stalled;	/* the watchdog has reported that the run is to end */
	bool terminal;		/* this rank has one of its own, so it prints faults */
	struct meeting *door;	/* rank 0: refuses ranks that come late; may be NULL */
	unsigned char *area;	/* of the last collective */
	size_t room;
	pthread_t watcher;
	pthread_mutex_t busy;	/* held by the thread that reads the connections */
	atomic_int ending;	/* set by the thread that ends the job */
	atomic_bool done;
	int bell[2];		/* wakes the watcher */
	bool watched;
	int nspokes;
	struct spoke spoke[];	/* by rank on rank 0, where [0] is unused; elsewhere only [0] */
};

/* A job of this kind has a star; first member of the kind's own struct. */
struct star_job {
	struct job job;
	struct star *star;
};

/*
 * A star of job->size ranks for this rank; its spokes are still to be connected with star_connect.
 * From here on the faults of this process go through the star. NULL without memory (reported).
 */
NETBENCH_EXPORT struct star *star_new(struct job *job, bool terminal);

/* Rank 0: *c leads to `rank` on `host`. Elsewhere: to rank 0. Takes over what *c holds. */
NETBENCH_EXPORT void star_connect(struct star *s, int rank, const struct channel *c,
				  const char *host);

/* Once all are connected: begins to watch. Takes over `door`, may be NULL. ST_OK or ST_FAILED. */
NETBENCH_EXPORT int star_watch(struct star *s, struct meeting *door);

/* As in struct job_kind, for a job that begins with a struct star_job. */
void star_barrier(struct job *job);
const void *star_gather(struct job *job, const void *mine, size_t len);
void star_bcast(struct job *job, void *data, size_t len);
const void *star_allgather(struct job *job, const void *mine, size_t len);

/*
 * After a fault of this rank: tells the others, waits for rank 0's verdict, and prints it if this
 * rank should. Returns the status with which to exit.
 */
NETBENCH_EXPORT int star_abort(struct star *s, int status);

/*
 * From here on a rank that leaves is not lost: each calls it before the last collective, whatever
 * carries that. NULL is allowed, as in star_finish.
 */
NETBENCH_EXPORT void star_leave(struct star *s);

/* Then ends the star in order. Prints a fault that was reported but did not end the job. */
NETBENCH_EXPORT void star_finish(struct star *s);

/* Closes it without telling the others, when nothing has begun. */
NETBENCH_EXPORT void star_free(struct star *s);

#endif
