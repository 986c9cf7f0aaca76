/* SPDX-License-Identifier: Apache-2.0 */
/* One rank's side of a run: its job, its endpoint, its part, and on rank 0 the sink of results. */
#ifndef NETBENCH_MEASURE_SESSION_H
#define NETBENCH_MEASURE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/background.h"
#include "job/job.h"
#include "measure/state.h"
#include "measure/plan/plan.h"
#include "measure/sync.h"
#include "model/rdma.h"

struct outlets;
struct sink;

/* What computing tasks did without communication, in consecutive parts of the time. */
#define ALONE_PARTS 10
struct alone {
	double rate[ALONE_PARTS];	/* units a second, of all tasks together */
	double processor;		/* share of a processor that a task got, the least of all */
};

/* Computing tasks beside the communication. */
struct computing {
	struct background *task;	/* on this rank's processor; NULL: none */
	uint32_t series;		/* for which `alone` holds; UINT32_MAX: none yet */
	struct alone alone;		/* rank 0: all of them without communication */
};

struct session {
	const struct plan *plan;
	const struct settings *settings;
	struct job *job;
	struct endpoint *ep;
	struct part part;		/* in the spec that is being measured */
	struct sync sync;
	int *order;			/* ranks by their place in pairs; NULL: 0, 1, 2, ... */
	struct computing computing;
	uint64_t seq;			/* of rounds, the same on all ranks */
	double started_s;		/* clock_wall */
	/* why the run is over, the same on all ranks; STOP_NOT: it goes on */
	enum stop over;
	struct rdma rdma;		/* if the backend has measured it */
	void *own;			/* the benchmark's state */
	struct sink *sink;		/* rank 0; NULL elsewhere */
	struct outlets *report;		/* rank 0: where rows go; NULL elsewhere */
};

static inline bool session_is_root(const struct session *s)
{
	return s->job->rank == 0;
}

/* The rank at a place of the pairs. */
static inline int session_rank_at(const struct session *s, int place)
{
	return s->order ? s->order[place] : place;
}

/*
 * True if nothing more can be measured: interrupted, out of time, or no sink is left. The same on
 * all ranks.
 */
static inline bool session_is_over(const struct session *s)
{
	return s->over != STOP_NOT;
}

/* Ends the whole job, from any rank; what failed was said before. */
void session_abort(struct session *s, int status) __attribute__((noreturn));

/* Every rank's `len` bytes on rank 0, valid until the next call; NULL elsewhere. Collective. */
const void *session_gather(struct session *s, const void *mine, size_t len);

/* Rank 0's `len` bytes to all. Collective. */
void session_bcast(struct session *s, void *buf, size_t len);

/*
 * Rank 0's decision whether to go on, for all: STOP_NOT, or why not. A signal that any rank has got
 * comes first. What ends the run (STOP_SIGNAL, STOP_TIME_LIMIT) is kept. Collective.
 */
enum stop session_agree(struct session *s, enum stop mine);

/* The same where rank 0 knows already which signals the ranks have got. */
enum stop session_decide(struct session *s, enum stop mine, int signal);

/* The step of the clock that repetitions are timed by, s; 0 in virtual time. */
double session_clock_step(const struct session *s);

/* How long the run has lasted, as far as time limits are concerned, s. */
double session_elapsed(const struct session *s);

/* True if the run's time limit is reached. */
bool session_out_of_time(const struct session *s);

#endif
