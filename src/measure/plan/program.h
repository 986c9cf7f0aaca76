/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program is a pattern in which the next message of a rank depends on the messages that have
 * arrived, as in the farms of ATLAS. A program uses only message operations, `now` and `compute`,
 * so it runs on every backend that has these three. A program is a constant struct. A pattern
 * without `build` names its program, and the spec holds the arguments of the program.
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
	int (*ranks)(const void *args);	/* returns the number of ranks that take part */
	/* returns the number of messages that all ranks together send in one loop */
	uint64_t (*messages)(const void *args);
	/* returns the number of loops after which the pace is steady */
	uint64_t (*steady)(const void *args);
	/*
	 * returns the longest time of a loop, s, if a message takes `message_s`; for the watchdog
	 */
	double (*longest)(const void *args, double message_s);
	/* returns the number of buffers that the rank needs */
	int (*buffers)(const void *args, int rank);
	/* returns the largest number of buffers that any rank needs */
	int (*most_buffers)(const void *args);
	/* returns whether the time of the rank counts */
	bool (*is_timed)(const void *args, int rank);
	/*
	 * Prepares this rank for data of `len` bytes and returns its state, or NULL if memory runs
	 * out. `bufs` has as many buffers as `buffers` returns, each of max(len, PROGRAM_BUFFER)
	 * bytes, from the endpoint's alloc. Not collective.
	 */
	void *(*open)(struct endpoint *ep, const void *args, size_t len, void *const *bufs);
	/*
	 * Posts the first receives. Called on every rank before the common start. Returns ST_OK or
	 * ST_FAILED.
	 */
	int (*arm)(void *state, uint64_t loops);
	/*
	 * Runs the loops given to `arm`. Sets *seconds to the time of these loops on the endpoint's
	 * clock. If `stamps` is not NULL, the run is observed: every rank tallies how it spends its
	 * time. Rank 0 then writes loops + 1 time stamps to `stamps`: one at the beginning, and one
	 * after each loop. On other ranks, any pointer but NULL enables observation, and nothing is
	 * written to it.
	 * Returns ST_OK, or ST_FAILED if a message operation failed (reported).
	 */
	int (*run)(void *state, double *stamps, double *seconds);
	/*
	 * Returns the number of messages verified since the previous call. Sets *errors to the
	 * number of wrong ones.
	 */
	uint64_t (*verdict)(void *state, uint64_t *errors);
	/*
	 * On rank 0, returns the tally of all ranks over the observed runs since the previous call.
	 * The caller frees it. Returns NULL on other ranks. Collective. Aborts the job if memory
	 * runs out.
	 */
	void *(*tally)(struct session *s, void *state);
	/* Adds the tally `more` of another visit to `tally`. */
	void (*add)(void *tally, const void *more);
	void (*close)(void *state);	/* frees the state, which may be NULL */
};

#endif
