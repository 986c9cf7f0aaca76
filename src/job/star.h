/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A star: a TCP connection from every rank to rank 0. The star carries the collective operations of
 * jobs that have no faster network for them. In every job over several hosts, the star also lets
 * rank 0 notice that a rank has ended.
 *
 * While a rank measures, a second thread of the rank waits for events on the connections. A rank
 * ends if it loses rank 0 or has a fault to report. Rank 0 then finds out which rank was lost,
 * reports the loss once, and informs the other ranks. A host that no longer answers counts as lost
 * after NET_SILENCE_S seconds. A rank also counts as lost if its frames were changed on the way
 * (net/channel.h). The thread also is the watchdog of its rank.
 *
 * If the run may continue without lost ranks (job->outlives), rank 0 warns of a lost rank and
 * continues without it. A rank that reports a fault always ends the job.
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
	bool here;		/* true: the rank's data for the current collective has arrived */
	bool lost,		/* the connection broke */
	     told;		/* the rank at the other end has reported a fault */
	/* true: the rank is lost, and the run continues without this rank and its connection */
	atomic_bool gone;
	int err;		/* errno: the reason why the connection broke */
	int status;		/* exit status of the reported fault, if `told` */
	char text[ERROR_TEXT];	/* text of the reported fault, if `told` */
};

struct star {
	struct job *job;
	struct doing doing;	/* job->doing points at this member */
	atomic_bool stalled;	/* the watchdog has found that the run makes no progress */
	bool terminal;		/* this rank has its own terminal, so it prints faults */
	struct meeting *door;	/* on rank 0: refuses ranks that come too late; may be NULL */
	unsigned char *area;	/* data of the latest collective */
	size_t room;
	pthread_t watcher;
	pthread_mutex_t busy;	/* held by the thread that reads the connections */
	atomic_int ending;	/* 1 once a thread has begun to end the job */
	atomic_bool done;
	int bell[2];		/* a pipe that wakes the watcher thread */
	bool watched;
	int nspokes;
	/*
	 * on rank 0: spoke[r] connects to rank r, and spoke[0] is unused; on other ranks: only
	 * spoke[0], the connection to rank 0
	 */
	struct spoke spoke[];
};

/* A job that has a star; first member of the kind's own struct. */
struct star_job {
	struct job job;
	struct star *star;
};

/*
 * Creates this rank's part of a star of job->size ranks. Add its connections with star_connect.
 * From now on, faults of this process go through the star. `terminal` is true if this rank has its
 * own terminal. Returns NULL (reported) if memory is short.
 */
NETBENCH_EXPORT struct star *star_new(struct job *job, bool terminal);

/*
 * Adds a connection: on rank 0 to `rank` on `host`, on other ranks to rank 0 (then `rank` is 0).
 * Takes over the socket and the keys of *c.
 */
NETBENCH_EXPORT void star_connect(struct star *s, int rank, const struct channel *c,
				  const char *host);

/*
 * Starts the thread that watches the connections. Call it after adding all connections. Takes over
 * `door`, which may be NULL. Returns ST_OK or ST_FAILED.
 */
NETBENCH_EXPORT int star_watch(struct star *s, struct meeting *door);

/* Hooks of struct job_kind, for a job that begins with a struct star_job. */
void star_barrier(struct job *job);
const void *star_gather(struct job *job, const void *mine, size_t len);
void star_bcast(struct job *job, void *data, size_t len);
const void *star_allgather(struct job *job, const void *mine, size_t len);

/*
 * Ends the job after a fault of this rank. Informs rank 0, waits until rank 0 has decided which
 * fault to report, and prints that fault if this rank should. Returns the status with which to
 * exit.
 */
NETBENCH_EXPORT int star_abort(struct star *s, int status);

/*
 * From now on, a rank that disconnects does not count as lost. Each rank must call it before the
 * last collective of the job, even if that collective does not use the star. s may be NULL.
 */
NETBENCH_EXPORT void star_expect_end(struct star *s);

/*
 * Ends and frees the star. Call star_expect_end before. Prints a fault that was reported but did
 * not end the job. s may be NULL.
 */
NETBENCH_EXPORT void star_finish(struct star *s);

/* Frees a star before the run has begun, without informing other ranks. */
NETBENCH_EXPORT void star_free(struct star *s);

#endif
