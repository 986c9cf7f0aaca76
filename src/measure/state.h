/* SPDX-License-Identifier: Apache-2.0 */
/* State that a session keeps of the round or program that its rank runs. Only types. */
#ifndef NETBENCH_MEASURE_STATE_H
#define NETBENCH_MEASURE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/schedule/schedule.h"
#include "transport/backend.h"
#include "transport/xfer.h"

struct pattern;

/* For --verify every: each message of a round separately (verify/each.h). */
struct each {
	unsigned char *memory;	/* from the backend's alloc */
	/*
	 * one buffer per message instead of `memory`, if a backend carries only part of a message
	 */
	void **cells;
	uint64_t ncells;
	uint32_t n;		/* number of transfers in an iteration */
	/* for each transfer: its number among its pair of ranks' transfers, and their number */
	uint32_t *number, *of_pair;
	struct request *requests;	/* every-timed: one for each transfer */
	/* every-timed: messages verified in the last round, and wrong ones */
	uint64_t checked, errors;
	bool timed;			/* messages are verified within the measured time */
};

/* A rank's memory for collective operations, and its blocks of them (collective/). */
struct vectors {
	unsigned char *at[VECTORS];
	size_t len[VECTORS];
	bool hollow;			/* the vectors are shorter than the current spec needs */
	/* number of blocks of the spec so far; selects the root if it rotates */
	uint64_t turn;
	double distance_s;		/* time from one start of a block to the next, s */
	/* start of each operation of a block, ticks */
	double *starts;
	struct operation_times *mine;	/* this rank's times of each operation, sent to rank 0 */
	uint64_t room;
};

/*
 * Time that rounds of a spec take on all ranks, s, for the watchdog: an iteration, and the time
 * around rounds. Zeroed when another spec begins.
 */
struct pace {
	uint64_t count;			/* iterations of the longest rounds so far; 0: none yet */
	double iteration_s,		/* time of an iteration in those rounds */
	       around_s[2];		/* time around the last such round, and the one before */
	uint64_t last_count;		/* iterations of the last round */
	double last_s;			/* time of the last round */
};

/* What the watchdog knows about rounds. */
struct expectation {
	struct pace pace;
	uint64_t size;			/* bytes of a message */
	/* guess of an iteration's time while the pace is not known, s */
	double guess_s;
	int peer;			/* the only peer in the round, or -1 */
};

/* Activity of a rank's computing task during rounds. */
struct work {
	double units;			/* work that the task did */
	double seconds;			/* time of the rounds, s */
	/*
	 * processor time of rank and task before and during the rounds, and the wall time of both,
	 * s
	 */
	double processor_s, around_s;
};

/* The last round on this rank. */
struct last_round {
	uint64_t start;			/* clock_count */
	struct work work;
};

/* Time stamps of single iterations, on rank 0 or on each rank. */
struct stamps {
	double *at;
	uint64_t room;
};

struct part {
	void **bufs;
	int nbufs;
	/* room for a list of the job's ranks, if specs draw ranks; else NULL */
	int *drawn;
	/* single: each transfer of `round` once, for verification */
	struct round round, single;
	struct each each;		/* messages of `round`, if each is verified separately */
	struct vectors vectors;
	const struct pattern *pattern;	/* pattern being run; NULL: none yet */
	void *state;			/* made by the `open` of the pattern's program */
	double pause_s;			/* pause between messages of a spaced pattern, s */
	struct stamps stamps;
	/* the round's single iterations count */
	bool observed;
	struct expectation expect;
	/* a peer is lost (CAP_LOSS): rounds are skipped until the caller resets this to false */
	bool lost;
	struct last_round last;
};

#endif
