/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a run makes progress, judged from outside. Each rank says what it is doing in memory that
 * its watcher reads: in job fork the supervisor's, which sees all ranks; in jobs join and mpi that
 * of a thread of the rank's own. It writes that outside the clock. Before it sleeps it writes for
 * which rank it waits. A watcher counts its own ticks, so the time of a suspended job does not
 * count.
 */
#ifndef NETBENCH_JOB_WATCHDOG_H
#define NETBENCH_JOB_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct launch;

#define DOING_NO_SIZE UINT64_MAX

/* What a rank is doing; it alone writes that. A zeroed struct: not begun. */
struct doing {
	_Alignas(64) _Atomic uint64_t steps;	/* collectives and rounds that have ended */
	_Atomic uint32_t entered, left;		/* collectives */
	/* ranks that it waits for in a round and in a collective; -1: several, or not known */
	atomic_int peer, missing;
	atomic_bool in_round, writing, ended;
	_Atomic double expected_s;	/* of the round under way or the last one; 0: none yet */
	_Atomic double stall_s;		/* without progress until the run ends; 0: for ever */
	_Atomic double due_s;		/* clock_wall at which the time limit is reached; 0: none */
	_Atomic uint64_t size;		/* of the point's messages, B */
	char what[24];			/* command; written before stall_s */
};

/*
 * All of these accept NULL, for a rank that nobody watches.
 *
 * doing_begin: `what` is measured; from now on the run ends after stall_s without progress.
 */
void doing_begin(struct doing *d, const char *what, double stall_s);

/* doing_begin as the launch of a run says; rank 0 watches its time limit, too, from now on. */
NETBENCH_EXPORT void doing_arm(struct doing *d, const struct launch *l, int rank);

#define DOING_SET(d, member, value) \
	do { \
		if (d) \
			atomic_store_explicit(&(d)->member, value, memory_order_relaxed); \
	} while (0)

static inline void doing_step(struct doing *d)
{
	DOING_SET(d, steps, d->steps + 1);
}

/* Around each collective of the job. */
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
 * Around a round or what is like one. `peer` is the only rank with which it exchanges messages, -1
 * if there are several.
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

/* In a round, or in a collective, this rank is about to sleep until that one moves. */
static inline void doing_wait(struct doing *d, int peer)
{
	DOING_SET(d, peer, peer);
}

static inline void doing_miss(struct doing *d, int rank)
{
	DOING_SET(d, missing, rank);
}

/* While rank 0 writes results, which may wait for a reader as long as that likes. */
static inline void doing_write(struct doing *d, bool on)
{
	DOING_SET(d, writing, on);
}

/* The time limit is reached at this clock_wall. */
static inline void doing_due(struct doing *d, double due_s)
{
	DOING_SET(d, due_s, due_s);
}

/* A rank is about to end as it should, be it by a fault. */
static inline void doing_end(struct doing *d)
{
	DOING_SET(d, ended, true);
}

/* A watcher's view. The caller sets the first block and last_s, and zeroes the rest. */
struct watchdog {
	const struct doing *ranks;	/* of n ranks, from rank `first` on */
	int n, first;
	const bool *stopped;		/* by a signal, of each of them; NULL: not known */
	double tick_s;			/* between two ticks, about; a longer gap counts as one */

	double last_s;			/* time of the last tick */
	uint64_t seen;			/* steps until then */
	double still_s;			/* without a step */
	double overdue_s;		/* past the time limit, while ranks waited for each other */
};

/* The tick that suits what is watched, s. */
double watchdog_tick_s(const struct doing *d);

/*
 * A tick at time now_s. True if the run is to end; `why` then has the reason. Either the time of
 * watchdog_patience has passed without a step. Or WATCHDOG_OVERDUE_S and the expected round have
 * passed since the time limit; time in which a rank was busy on its own does not count.
 */
#define WATCHDOG_OVERDUE_S 5.0
bool watchdog_tick(struct watchdog *w, double now_s, struct text *why);

/*
 * The longest time that the watched ranks may go without a step, s. It is the longest of --stall,
 * ten times the expected round, and WATCHDOG_ALONE_S if a rank is busy on its own. INFINITY while
 * one writes, or with --stall 0. Only --stall if one is stopped. A rank other than 0 that watches
 * itself waits twice as long and a little more, since rank 0 is to judge first.
 */
#define WATCHDOG_ALONE_S 120.0
double watchdog_patience(const struct watchdog *w);

#endif
