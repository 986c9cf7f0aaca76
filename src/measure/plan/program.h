/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs: a rank's next message depends on the messages that have arrived, as in the farms of
 * ATLAS. A program uses only message operations, `now` and `compute`, so it runs on every backend
 * that has these. A program is a constant struct. A pattern without a `build` names its program,
 * and the spec holds the program's arguments.
 */
#ifndef NETBENCH_MEASURE_PLAN_PROGRAM_H
#define NETBENCH_MEASURE_PLAN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct endpoint;
struct session;

/* Smallest size of a program's buffer, bytes. */
#define PROGRAM_BUFFER 16

/*
 * `args` are the spec's arguments, the same on all ranks. `state` is this rank's state, made by
 * `open`. A rank without a role gets a state whose functions do nothing.
 */
struct program {
	double target_s;	/* target time of a repetition, s, if a pilot finds the loops */
	int (*ranks)(const void *args);	/* number of ranks that take part */
	/* messages of all ranks in one loop */
	uint64_t (*messages)(const void *args);
	/* number of loops after which the pace is steady */
	uint64_t (*steady)(const void *args);
	/* longest time of a loop, s, if a message takes `message_s`; for the watchdog */
	double (*longest)(const void *args, double message_s);
	/* number of buffers of a rank */
	int (*buffers)(const void *args, int rank);
	/* number of buffers of the rank that needs most */
	int (*most_buffers)(const void *args);
	/* whether the rank's time counts */
	bool (*is_timed)(const void *args, int rank);
	/*
	 * Prepares this rank for data of `len` bytes. `bufs` has as many buffers as `buffers`
	 * returns, each of max(len, PROGRAM_BUFFER) bytes, from the endpoint's alloc. Returns NULL
	 * without memory. Not collective.
	 */
	void *(*open)(struct endpoint *ep, const void *args, size_t len, void *const *bufs);
	/*
	 * Posts the first receives, on every rank before the common start. Returns ST_OK or
	 * ST_FAILED.
	 */
	int (*arm)(void *state, uint64_t loops);
	/*
	 * Does the loops given to `arm`. *seconds is the time they took on the endpoint's clock.
	 * A run is observed if `stamps` is not NULL. Rank 0 then writes loops + 1 time stamps
	 * there: one at the begin, one after each loop. On other ranks any pointer but NULL enables
	 * observation; they write nothing there. In an observed run every rank tallies how it
	 * spends its time.
	 * Returns ST_OK, or ST_FAILED if a message operation failed (reported).
	 */
	int (*run)(void *state, double *stamps, double *seconds);
	/*
	 * Returns the number of messages verified since the last call; *errors is the number of
	 * wrong ones.
	 */
	uint64_t (*verdict)(void *state, uint64_t *errors);
	/*
	 * The tally of all ranks over the observed runs since the last call. Rank 0 gets it and
	 * frees it with free(); other ranks get NULL. Collective. Aborts the job without memory.
	 */
	void *(*tally)(struct session *s, void *state);
	/* Adds the tally of another visit to `tally`. */
	void (*add)(void *tally, const void *more);
	void (*close)(void *state);	/* NULL is allowed */
};

#endif
