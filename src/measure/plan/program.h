/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs: a rank's next message depends on the messages that have arrived, as in the farms of
 * ATLAS. A program uses message operations, `now` and `compute` alone, so it runs on every backend
 * that has these. It is a constant row. A pattern without a round names its program, and a spec has
 * the program's arguments.
 */
#ifndef NETBENCH_MEASURE_PLAN_PROGRAM_H
#define NETBENCH_MEASURE_PLAN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct endpoint;
struct session;

/* Bytes of each buffer that a program gets, at least. */
#define PROGRAM_BUFFER 16

/*
 * `args` are the spec's, the same on all ranks; `state` is what `open` made for this rank. A rank
 * without a role gets a state that does nothing.
 */
struct program {
	double target_s;	/* of a repetition whose loops a pilot finds, s */
	int (*ranks)(const void *args);	/* that take part */
	/* messages of all ranks in a loop; loops after which its pace is steady */
	uint64_t (*messages)(const void *args);
	uint64_t (*steady)(const void *args);
	/* s that a loop takes at most, where a message takes `message_s`: for the watchdog */
	double (*longest)(const void *args, double message_s);
	/* buffers of a rank; of the rank that takes most */
	int (*buffers)(const void *args, int rank);
	int (*most_buffers)(const void *args);
	bool (*is_timed)(const void *args, int rank);
	/*
	 * Prepares this rank, for data of `len` bytes, in the first `buffers` of `bufs`. Each has
	 * max(len, PROGRAM_BUFFER) bytes, which the caller has from the endpoint's alloc. NULL
	 * without memory. Not collective.
	 */
	void *(*open)(struct endpoint *ep, const void *args, size_t len, void *const *bufs);
	/* Posts the first receives, on every rank before the common start. ST_OK or ST_FAILED. */
	int (*arm)(void *state, uint64_t loops);
	/*
	 * Does the loops of `arm` and yields the seconds they took on the endpoint's clock. With
	 * `stamps`, room for loops + 1, the run is observed. Rank 0 writes there when it began and
	 * when each loop was complete; every rank tallies its time. On other ranks any pointer but
	 * NULL enables that; they write nothing there. ST_OK, or ST_FAILED if a message operation
	 * failed (reported).
	 */
	int (*run)(void *state, double *stamps, double *seconds);
	/* Messages verified since the last call, and in *errors how many were wrong. */
	uint64_t (*verdict)(void *state, uint64_t *errors);
	/*
	 * What all ranks did in observed runs since the last call; rank 0 gets it for free(), other
	 * ranks NULL. Collective; aborts the job without memory.
	 */
	void *(*tally)(struct session *s, void *state);
	/* Adds what another visit tallied. */
	void (*add)(void *tally, const void *more);
	void (*close)(void *state);	/* NULL is allowed */
};

#endif
