/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges whether a run makes progress. Each rank writes what it is doing to memory that its
 * watchdog reads. In job `fork`, the supervisor watches all ranks. In jobs `join` and `mpi`, a
 * separate thread of each rank watches that rank. A rank does not write during timed parts, except
 * before it sleeps: then it writes which rank it waits for. A watchdog measures time by its own
 * ticks, so that the time during which a job is suspended does not count.
 */
#ifndef NETBENCH_JOB_WATCHDOG_H
#define NETBENCH_JOB_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct launch;

#define DOING_NO_SIZE UINT64_MAX

/* What a rank is doing. Only this rank writes it. If all is zero, the rank has not begun. */
struct doing {
	/* number of collectives and rounds that have ended */
	_Alignas(64) _Atomic uint64_t steps;
	_Atomic uint32_t entered, left;		/* numbers of collectives entered and left */
	/*
	 * the rank for which this rank waits: `peer` in a round, `missing` in a collective; -1 if
	 * it waits for several ranks, or if the rank is not known
	 */
	atomic_int peer, missing;
	atomic_bool in_round, writing, ended;
	/*
	 * expected time in s of the current round, or of the previous one between rounds; 0: no
	 * round yet
	 */
	_Atomic double expected_s;
	/* time in s without progress after which the run ends; 0: no limit */
	_Atomic double stall_s;
	/* value of clock_wall at which the time limit is reached; 0: no limit */
	_Atomic double due_s;
	_Atomic uint64_t size;		/* message size of the point, B */
	char what[24];			/* name of the command; written before stall_s */
};

/*
 * All functions below accept NULL, for a rank without a watchdog.
 *
 * doing_begin: command `what` begins to measure. From now on the run ends after stall_s seconds
 * without progress. With stall_s 0 the run never ends for lack of progress.
 */
void doing_begin(struct doing *d, const char *what, double stall_s);

/*
 * Calls doing_begin with the values of *l. On rank 0, also sets the time limit of *l. Does nothing
 * if l->command is NULL.
 */
NETBENCH_EXPORT void doing_begin_run(struct doing *d, const struct launch *l, int rank);

#define DOING_SET(d, member, value) \
	do { \
		if (d) \
			atomic_store_explicit(&(d)->member, value, memory_order_relaxed); \
	} while (0)

static inline void doing_step(struct doing *d)
{
	DOING_SET(d, steps, d->steps + 1);
}

/* Call doing_enter before each collective of the job, and doing_leave after it. */
static inline void doing_enter(struct doing *d)
{
	DOING_SET(d, missing, -1);
	DOING_SET(d, entered, d->entered + 1);
}

static inline void doing_leave(struct doing *d)
{
	DOING_SET(d, left, d->entered);
	doing_step(d);
}

/*
 * Call doing_round before a round or similar communication, and doing_round_end after it. `peer` is
 * the only rank with which this rank exchanges messages; -1 if there are several.
 */
static inline void doing_round(struct doing *d, uint64_t size, double expected_s, int peer)
{
	DOING_SET(d, size, size);
	DOING_SET(d, expected_s, expected_s);
	DOING_SET(d, peer, peer);
	DOING_SET(d, in_round, true);
}

static inline void doing_round_end(struct doing *d)
{
	DOING_SET(d, in_round, false);
	doing_step(d);
}

/*
 * Call these before this rank sleeps: doing_wait in a round that waits for rank `peer`, and
 * doing_set_missing in a collective that waits for `rank`.
 */
static inline void doing_wait(struct doing *d, int peer)
{
	DOING_SET(d, peer, peer);
}

static inline void doing_set_missing(struct doing *d, int rank)
{
	DOING_SET(d, missing, rank);
}

/*
 * Set it to true while rank 0 writes results. Rank 0 may have to wait without limit for the program
 * that reads them.
 */
static inline void doing_write(struct doing *d, bool on)
{
	DOING_SET(d, writing, on);
}

/* Sets the time limit: the value of clock_wall at which it is reached. */
static inline void doing_set_time_limit(struct doing *d, double due_s)
{
	DOING_SET(d, due_s, due_s);
}

/* Call it before this rank ends by itself, with or without a fault. */
static inline void doing_end(struct doing *d)
{
	DOING_SET(d, ended, true);
}

/* State of a watchdog. The caller sets the first block and last_s, and zeroes the rest. */
struct watchdog {
	/* states of the n watched ranks; the first of them is rank `first` */
	const struct doing *ranks;
	int n, first;
	/* for each watched rank: true if a signal has stopped it; NULL: not known */
	const bool *stopped;
	/* approximate time between two ticks; a longer gap counts as one tick */
	double tick_s;

	double last_s;			/* time of the latest tick, s */
	uint64_t seen;			/* sum of the ranks' steps at last_s */
	double still_s;			/* time since the latest step of any watched rank, s */
	/*
	 * time in s since the time limit, without the time during which a rank was busy on its own
	 */
	double overdue_s;
};

/* Returns a suitable time between two ticks, s. */
double watchdog_tick_s(const struct doing *d);

/*
 * Call it regularly, at each tick; now_s is the time. Returns true if the run must end, with the
 * reason in `why`. The run must end in two cases. First, no rank has made a step for longer than
 * watchdog_longest_stall. Second, the time since the time limit exceeds WATCHDOG_OVERDUE_S plus the
 * expected time of a round; time during which a rank is busy on its own does not count.
 */
#define WATCHDOG_OVERDUE_S 5.0
bool watchdog_tick(struct watchdog *w, double now_s, struct text *why);

/*
 * Returns the longest allowed time in s without a step of any watched rank. This time is the
 * largest of: --stall; ten times the expected time of a round; and, if a rank is busy on its own,
 * WATCHDOG_ALONE_S. While a rank writes results, or with --stall 0, the time is INFINITY. If a
 * signal has stopped a rank, the time is the value of --stall. For a rank other than 0 that watches
 * itself, the time is twice as long plus 3 s, so that rank 0 judges first.
 */
#define WATCHDOG_ALONE_S 120.0
double watchdog_longest_stall(const struct watchdog *w);

#endif
