/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run on one rank: its job, endpoint and part, and on rank 0 the sink of results. */
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

/* Speed of computing tasks without communication, in ALONE_PARTS consecutive parts of the time. */
#define ALONE_PARTS 10
struct alone {
	double rate[ALONE_PARTS];	/* units of work per second, of all tasks together */
	/* smallest share of a processor that any task got */
	double processor;
};

/* The computing tasks that run beside the communication. */
struct computing {
	struct background *task;	/* task on this rank's processor; NULL: none */
	/* series (struct spec) for which `alone` was measured; UINT32_MAX: not measured yet */
	uint32_t series;
	struct alone alone;		/* rank 0: speed of all tasks without communication */
};

struct session {
	const struct plan *plan;
	const struct settings *settings;
	struct job *job;
	struct endpoint *ep;
	struct part part;		/* this rank's part in the spec that is being measured */
	struct sync sync;
	int *order;			/* order[i]: rank at place i of the pairs; NULL: rank i */
	struct computing computing;
	uint64_t seq;			/* number of the next round, the same on all ranks */
	double started_s;		/* start of the run, clock_wall */
	/* STOP_NOT while the run continues, else why the run is over; the same on all ranks */
	enum stop over;
	/* parameters of the RDMA form, if the backend has measured them */
	struct rdma rdma;
	void *own;			/* the benchmark's state */
	struct sink *sink;		/* rank 0; NULL elsewhere */
	struct outlets *report;		/* rank 0: the outlets that rows go to; NULL elsewhere */
};

static inline bool session_is_root(const struct session *s)
{
	return s->job->rank == 0;
}

/* Returns the rank at a place of the pairs. */
static inline int session_rank_at(const struct session *s, int place)
{
	return s->order ? s->order[place] : place;
}

/*
 * Returns true if nothing more can be measured: the run was interrupted, the time of the run is
 * over, or no outlet for results is left. The result is the same on all ranks.
 */
static inline bool session_is_over(const struct session *s)
{
	return s->over != STOP_NOT;
}

/* Ends the whole job, from any rank. The caller has already reported the fault. */
void session_abort(struct session *s, int status) __attribute__((noreturn));

/*
 * Gathers `len` bytes from every rank on rank 0. The result there is valid until the next call.
 * Returns NULL on other ranks. Collective.
 */
const void *session_gather(struct session *s, const void *mine, size_t len);

/* Sends rank 0's `len` bytes to all ranks. Collective. */
void session_bcast(struct session *s, void *buf, size_t len);

/*
 * Gives all ranks the decision of rank 0 whether to go on. Returns STOP_NOT, or the reason to stop.
 * If any rank has got a signal, the reason is STOP_SIGNAL. A reason that ends the run (STOP_SIGNAL,
 * STOP_TIME_LIMIT) is stored in s->over. Collective.
 */
enum stop session_agree(struct session *s, enum stop mine);

/* Like session_agree, but rank 0 already knows the signal that a rank has got (0: none). */
enum stop session_decide(struct session *s, enum stop mine, int signal);

/* Returns the step of the clock that times repetitions, s; 0 in virtual time. */
double session_clock_step(const struct session *s);

/*
 * Returns the time since the start of the run, s; or since the plan was made, if the time limit
 * counts from then.
 */
double session_elapsed(const struct session *s);

/*
 * Sleeps for this time, or until a signal or the time limit asks the run to end. The watchdog sees
 * progress meanwhile. Not collective.
 */
void session_sleep(struct session *s, double seconds);

/* Returns true if the time limit of the run is reached. */
bool session_out_of_time(const struct session *s);

#endif
