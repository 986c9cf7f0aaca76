/* SPDX-License-Identifier: Apache-2.0 */
/* What a session keeps of the round or the program that its rank plays. Types alone. */
#ifndef NETBENCH_MEASURE_STATE_H
#define NETBENCH_MEASURE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/schedule/schedule.h"
#include "transport/backend.h"
#include "transport/xfer.h"

struct pattern;

/* With --verify every: each message of a round by itself (verify/each.h). */
struct each {
	unsigned char *memory;	/* of the backend's alloc */
	void **cells;		/* instead, where a backend carries less than a message */
	uint64_t ncells;
	uint32_t n;		/* transfers of an iteration */
	/* of each of them: its number among those of its pair of ranks, and how many that has */
	uint32_t *number, *of_pair;
	struct request *requests;	/* every-timed: one for each of them */
	uint64_t checked, errors;	/* every-timed: messages of the last round */
	bool timed;			/* they are verified within the time */
};

/* A rank's memory for collective operations, and its blocks of them (collective/). */
struct vectors {
	unsigned char *at[VECTORS];
	size_t len[VECTORS];
	bool hollow;			/* they are shorter than the spec's that is built */
	uint64_t turn;			/* blocks of the spec so far: the root, if it rotates */
	double distance_s;		/* from one start of a block to the next */
	/* of each operation of a block: its start, ticks; what rank 0 gets to know */
	double *starts;
	struct passage *mine;
	uint64_t room;
};

/*
 * How long the rounds of a spec take on all ranks, s, for the watchdog: an iteration, and what is
 * around them. Zeroed where another spec begins.
 */
struct pace {
	uint64_t count;			/* iterations of the longest rounds so far; 0: none yet */
	double iteration_s, around_s[2];	/* of the last such round, and the one before */
	uint64_t last_count;		/* iterations of the last round, and their time */
	double last_s;
};

/* What the watchdog learns of rounds. */
struct expectation {
	struct pace pace;
	uint64_t size;			/* bytes of a message */
	double guess_s;			/* of an iteration whose pace is not known */
	int peer;			/* the only rank that the round has to do with, or -1 */
};

/* A rank's computing task during rounds. */
struct work {
	double units;			/* of work that it did */
	double seconds;			/* that the rounds took */
	/* processor time of rank and task before and during the rounds, and how long that was */
	double processor_s, around_s;
};

/* The last round on this rank. */
struct last_round {
	uint64_t start;			/* clock_count */
	struct work work;
};

/* Time stamps of single iterations: on rank 0, or on each. */
struct stamps {
	double *at;
	uint64_t room;
};

struct part {
	void **bufs;
	int nbufs;
	int *drawn;                     /* room for a list of the job's ranks,
		where specs draw them; else NULL */
	struct round round, single;	/* single: each transfer of round once, for verification */
	struct each each;		/* messages of round, if it lists each of them */
	struct vectors vectors;
	const struct pattern *pattern;	/* that is played; NULL: none yet */
	void *state;			/* what its program's `open` has made */
	double pause_s;			/* of a pattern that is spaced: between messages */
	struct stamps stamps;
	/* the round is one of those whose single iterations count */
	bool observed;
	struct expectation expect;
	/* a peer is lost (CAP_LOSS): rounds are left out until the caller says false again */
	bool lost;
	struct last_round last;
};

#endif
