/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges whether a run makes progress. Each rank writes what it is doing to memory that its
 * watchdog reads. In job fork the supervisor watches all ranks. In jobs join and mpi a thread of
 * each rank watches that rank. A rank writes outside of timed parts. Before it sleeps, it writes
 * which rank it waits for. A watchdog adds up its own ticks, so that the time of a suspended job
 * does not count.
 */
#ifndef NETBENCH_JOB_WATCHDOG_H
#define NETBENCH_JOB_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct launch;

#define DOING_NO_SIZE UINT64_MAX

/* What a rank is doing. Only that rank writes it. A zeroed struct means that it has not begun. */
struct doing {
	/* number of collectives and rounds that have ended */
	_Alignas(64) _Atomic uint64_t steps;
	_Atomic uint32_t entered, left;		/* collectives: number entered, number left */
	/* the rank that it waits for: in a round, and in a collective; -1: several, or not known */
	atomic_int peer, missing;
	atomic_bool in_round, writing, ended;
	/* expected time of the current or last round; 0: none yet */
	_Atomic double expected_s;
	/* time without progress after which the run ends; 0: no limit */
	_Atomic double stall_s;
	_Atomic double due_s;		/* clock_wall at the time limit; 0: no limit */
	_Atomic uint64_t size;		/* message size of the point, B */
	char what[24];			/* name of the command; written before stall_s */
};

/*
 * All functions below accept NULL, for a rank without a watchdog.
 *
 * doing_begin: the command `what` measures. From now on the run ends after stall_s without
 * progress.
 */
void doing_begin(struct doing *d, const char *what, double stall_s);

/*
 * Calls doing_begin with the values of the launch. From now on rank 0's watchdog also checks the
 * time limit.
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

/* Called before each collective of the job; doing_leave is called after it. */
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
 * Called before a round or something like a round; doing_round_end is called after it. `peer` is
 * the only rank with which this rank exchanges messages, -1 if there are several.
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
 * This rank is about to sleep until rank `peer` (in a round) or `rank` (in a collective) has moved.
 */
static inline void doing_wait(struct doing *d, int peer)
{
	DOING_SET(d, peer, peer);
}

static inline void doing_set_missing(struct doing *d, int rank)
{
	DOING_SET(d, missing, rank);
}

/* True while rank 0 writes results. It may have to wait for their reader without limit. */
static inline void doing_write(struct doing *d, bool on)
{
	DOING_SET(d, writing, on);
}

/* The time limit is reached when clock_wall is due_s. */
static inline void doing_set_time_limit(struct doing *d, double due_s)
{
	DOING_SET(d, due_s, due_s);
}

/* This rank is about to end in order, with or without a fault. */
static inline void doing_end(struct doing *d)
{
	DOING_SET(d, ended, true);
}

/* State of a watchdog. The caller sets the first block and last_s, and zeroes the rest. */
struct watchdog {
	const struct doing *ranks;	/* the n ranks that it watches, from rank `first` on */
	int n, first;
	const bool *stopped;		/* for each rank: stopped by a signal; NULL: not known */
	/* approximate time between two ticks; a longer gap counts as one tick */
	double tick_s;

	double last_s;			/* time of the last tick */
	uint64_t seen;			/* sum of all steps at that time */
	double still_s;			/* time without a step */
	/* time past the time limit while no rank was busy on its own */
	double overdue_s;
};

/* Returns a suitable time between two ticks, s. */
double watchdog_tick_s(const struct doing *d);

/*
 * A tick at time now_s. Returns true if the run must end; `why` then has the reason. There are two
 * reasons. Either no step has been made for longer than watchdog_longest_stall. Or the time limit
 * passed more than WATCHDOG_OVERDUE_S and the time of the expected round ago. The time while a rank
 * is busy on its own does not count.
 */
#define WATCHDOG_OVERDUE_S 5.0
bool watchdog_tick(struct watchdog *w, double now_s, struct text *why);

/*
 * Returns the longest time in s that the watched ranks may take without a step. It is the largest
 * of --stall, ten times the expected round, and WATCHDOG_ALONE_S if a rank is busy on its own. It
 * is INFINITY while a rank writes results, or with --stall 0. It is --stall alone if a rank is
 * stopped. A rank other than 0 that watches itself waits twice as long plus 3 s, because rank 0
 * should judge first.
 */
#define WATCHDOG_ALONE_S 120.0
double watchdog_longest_stall(const struct watchdog *w);

#endif
