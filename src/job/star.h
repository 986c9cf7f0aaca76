/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A star: a TCP connection from every rank to rank 0. It carries collective services where nothing
 * better exists. In every job over several hosts it shows rank 0 that a rank has ended.
 *
 * A thread sleeps on the connections and watches them while the ranks measure. A rank that loses
 * rank 0, or has a fault to report, ends. Rank 0 then finds out which rank was lost, reports it
 * once, and tells the other ranks. A host that falls silent counts as lost after NET_SILENCE_S. A
 * rank also counts as lost if its frames were changed on the way (net/channel.h). The thread is
 * also the watchdog of its rank.
 *
 * If the run outlives its ranks (job.h), rank 0 warns of a lost rank and continues without it. A
 * rank that reports a fault always ends the job.
 */
#ifndef NETBENCH_JOB_STAR_H
#define NETBENCH_JOB_STAR_H

#include <pthread.h>

#include "base/error.h"
#include "job/job.h"
#include "job/watchdog.h"
#include "net/rendezvous.h"

/* One connection of the star. */
struct spoke {
	struct channel channel;	/* fd is -1 without a connection */
	int rank;		/* the rank at the other end */
	char host[64];		/* host of that rank */
	bool here;		/* its contribution to the current collective has arrived */
	/* lost: the connection broke; told: the rank had reported a fault before */
	bool lost, told;
	atomic_bool gone;	/* lost, and the run continues without it: ignored from then on */
	int err;		/* errno with which the connection broke */
	int status;		/* if told: exit status of the fault */
	char text[ERROR_TEXT];	/* if told: text of the fault */
};

struct star {
	struct job *job;
	struct doing doing;	/* what job->doing points at */
	atomic_bool stalled;	/* the watchdog has reported that the run must end */
	bool terminal;		/* this rank has a terminal of its own, so it prints faults */
	struct meeting *door;	/* rank 0: refuses ranks that come too late; may be NULL */
	unsigned char *area;	/* data of the last collective */
	size_t room;
	pthread_t watcher;
	pthread_mutex_t busy;	/* held by the thread that reads the connections */
	atomic_int ending;	/* set by the thread that ends the job */
	atomic_bool done;
	int bell[2];		/* a pipe that wakes the watcher thread */
	bool watched;
	int nspokes;
	/* on rank 0 indexed by rank, [0] is unused; on other ranks only [0], to rank 0 */
	struct spoke spoke[];
};

/* A job that has a star; first member of the kind's own struct. */
struct star_job {
	struct job job;
	struct star *star;
};

/*
 * Creates a star of job->size ranks for this rank. Its connections must then be added with
 * star_connect. From now on faults of this process go through the star. Returns NULL (reported) if
 * memory is short. `terminal`: this rank has a terminal of its own.
 */
NETBENCH_EXPORT struct star *star_new(struct job *job, bool terminal);

/*
 * Adds a connection, and takes over what *c holds. On rank 0 it is the connection to `rank` on
 * `host`, on other ranks the connection to rank 0.
 */
NETBENCH_EXPORT void star_connect(struct star *s, int rank, const struct channel *c,
				  const char *host);

/*
 * Begins to watch the connections, once all are added. Takes over `door`, which may be NULL.
 * Returns ST_OK or ST_FAILED.
 */
NETBENCH_EXPORT int star_watch(struct star *s, struct meeting *door);

/* Hooks of struct job_kind, for a job that begins with a struct star_job. */
void star_barrier(struct job *job);
const void *star_gather(struct job *job, const void *mine, size_t len);
void star_bcast(struct job *job, void *data, size_t len);
const void *star_allgather(struct job *job, const void *mine, size_t len);

/*
 * Called after a fault of this rank. Tells the other ranks, waits for rank 0's verdict, and prints
 * the verdict if this rank should. Returns the status with which to exit.
 */
NETBENCH_EXPORT int star_abort(struct star *s, int status);

/*
 * From now on a rank that disconnects does not count as lost. Each rank calls it before the last
 * collective of the job, even if that collective does not use the star. NULL is allowed, also in
 * star_finish.
 */
NETBENCH_EXPORT void star_expect_end(struct star *s);

/*
 * Ends the star in order, after star_expect_end. Prints a fault that was reported but did not end
 * the job.
 */
NETBENCH_EXPORT void star_finish(struct star *s);

/* Frees a star before the run has begun, without telling other ranks. */
NETBENCH_EXPORT void star_free(struct star *s);

#endif
