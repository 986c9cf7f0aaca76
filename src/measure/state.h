/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the round or program that a rank runs. This state is part of the session. Only
 * types.
 */
#ifndef NETBENCH_MEASURE_STATE_H
#define NETBENCH_MEASURE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/schedule/schedule.h"
#include "transport/backend.h"
#include "transport/xfer.h"

struct pattern;

/*
 * For --verify every and every-timed: data to verify each message of a round separately
 * (verify/each.h).
 */
struct each {
	unsigned char *memory;	/* buffers of all messages, from the alloc of the backend */
	/*
	 * one buffer for each message, instead of `memory`, if the backend carries only part of a
	 * message
	 */
	void **cells;
	uint64_t ncells;
	uint32_t n;		/* number of transfers in an iteration */
	/*
	 * number[i]: number of transfer i, from 0, among the transfers between the same two ranks
	 * in the same direction. of_pair[i]: how many such transfers there are.
	 */
	uint32_t *number, *of_pair;
	struct request *requests;	/* every-timed: one request for each transfer */
	/* every-timed: number of messages verified in the latest round, and of wrong ones */
	uint64_t checked, errors;
	bool timed;			/* messages are verified within the measured time */
};

/*
 * A rank's memory for collective operations, and the state of its blocks of operations
 * (collective/).
 */
struct vectors {
	unsigned char *at[VECTORS];
	size_t len[VECTORS];
	bool hollow;			/* the vectors are shorter than the current spec needs */
	/*
	 * Cold caches: each vector has a copy for each variant of the operation. stride: bytes from
	 * one copy to the next. variants: number of copies that the current round uses; at least 1.
	 * order[i]: the copy of variant i. copy: the copy for which steps are being built.
	 */
	size_t stride[VECTORS];
	uint32_t variants, *order, copy;
	/* memory that replaces other data in the caches, and its length, bytes; NULL: not needed */
	unsigned char *flush;
	size_t flush_len;
	/* number of blocks of the spec so far; if the root rotates, this number selects the root */
	uint64_t turn;
	/* time between the starts of two operations of a block, s */
	double distance_s;
	/* rank 0: time to add one byte of a vector to another, s; 0: no operation adds */
	double sum_s_per_B;
	double compute_s;		/* computing within each operation of the block, s */
	/* too many operations of the spec began late, so each begins after a barrier instead */
	bool after_barriers;
	/* start of each operation of a block, ticks */
	double *starts;
	/* mine[i]: this rank's times of operation i; rank 0 collects them */
	struct operation_times *mine;
	uint64_t room;
};

/*
 * Times of the rounds of a spec, s. From these the watchdog predicts the time of the next round.
 * Zeroed when another spec begins.
 */
struct pace {
	uint64_t count;			/* iterations of the longest rounds so far; 0: none yet */
	double iteration_s,		/* time of an iteration in the longest rounds */
	       /*
	        * time between the end of a longest round and the start of the next round: [0] for
	        * the latest such round, [1] for the one before
	        */
	       around_s[2];
	uint64_t last_count;		/* iterations of the latest round */
	double last_s;			/* time of the latest round */
};

/* What the watchdog knows about rounds. */
struct expectation {
	struct pace pace;
	uint64_t size;			/* bytes of a message */
	/* guessed time of an iteration while the pace is not known, s */
	double guess_s;
	int peer;			/* the only peer in the round; -1: none, or several */
};

/* Work of a rank's computing task during rounds. */
struct work {
	double units;			/* units of work that the task did */
	double seconds;			/* time of the rounds, s */
	/*
	 * processor_s: processor time that the rank and its task used before and during the rounds,
	 * s. around_s: wall time of the same periods, s.
	 */
	double processor_s, around_s;
};

/* The latest round on this rank. */
struct last_round {
	uint64_t start;			/* when the round started, by clock_count() */
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
	/* memory for a list of all ranks of the job, if specs draw ranks; else NULL */
	int *drawn;
	/* `single` has each transfer of `round` once, for verification */
	struct round round, single;
	struct each each;		/* data to verify each message of `round` separately */
	struct vectors vectors;
	const struct pattern *pattern;	/* the pattern that is being run; NULL: none yet */
	void *state;			/* state of the pattern's program, made by its `open` */
	double pause_s;			/* pause between messages of a spaced pattern, s */
	struct stamps stamps;
	/* single iterations of the round are timed */
	bool observed;
	struct expectation expect;
	/* a peer is lost (CAP_LOSS): rounds are skipped until the caller resets this to false */
	bool lost;
	struct last_round last;
};

#endif
