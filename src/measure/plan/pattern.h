/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of communication. A pattern builds the round of one rank. Building is pure. patterns.h
 * lists those that several commands use; a command may define another in its own file.
 */
#ifndef NETBENCH_MEASURE_PLAN_PATTERN_H
#define NETBENCH_MEASURE_PLAN_PATTERN_H

#include "transport/xfer.h"

/* Bytes of the reply that ends a window of messages. */
#define PATTERN_REPLY 1

/* After this time, plus 1 s for every 250 MB sent, all messages have arrived (METHODS 2.3, E4). */
#define PATTERN_BACKLOG_S 1e-3
#define PATTERN_BACKLOG_BPS 250e6

struct tree;
struct build;
struct program;

/*
 * Arguments of a pattern. Its ranks have places 0 to size-1. `ranks` maps a place to a rank of the
 * job, so a pattern runs on any list of ranks.
 */
struct pattern_args {
	int place, size;	/* place: -1 if this rank does not take part */
	const int *ranks;	/* rank at each place; NULL: rank = place */
	size_t len;		/* bytes of a message */
	uint32_t window, batch;
	int pairs;		/* stream, read: number of pairs that run at once */
	bool bidirectional;	/* stream, read: both ends send and receive */
	const struct tree *tree;	/* multicast: the tree, whose nodes are the places */
};

/* A pattern: the capabilities that it needs, and the function that builds a rank's round. */
struct pattern {
	const char *name;
	unsigned needs;		/* capabilities it needs, enum cap */
	/*
	 * Fills an empty round, except its count. Returns 0, or another value without memory. NULL:
	 * `program` runs instead.
	 */
	int (*build)(struct build *b);
	/* distinguishes patterns with the same `build` function, which defines its meaning */
	int variant;
	/* Default number of iterations of a repetition; 0: as many as last about 10 ms. */
	uint64_t loops;
	/*
	 * Rank 0 has place 0 and sends first. With synchronised clocks, time counts from its start.
	 */
	bool from_root;
	bool spaced;		/* messages go one by one, with pauses between them (spaced.h) */
	const struct program *program;	/* the program (program.h), if `build` is NULL */
};

/*
 * Builds the round of place a->place. Each of the `nbufs` buffers has at least the length of a
 * message and PATTERN_REPLY bytes. Returns 0, or another value without memory, or if the pattern
 * needs more buffers.
 */
int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs,
		  int nbufs, struct round *r);

/*
 * Returns the number of buffers that a place needs, or -1 without memory. No place needs more than
 * place 0. If `timed` is not NULL, *timed says whether the place's time counts.
 */
int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed);

/* Like pattern_buffers, but with a separate buffer for each message of an iteration. */
int pattern_messages(const struct pattern *p, const struct pattern_args *a);

/* ---- for a pattern's `build` ---- */

/*
 * A round being built, for place a->place. Each transfer has a buffer of its own, with one
 * exception: a multicast sends on from the buffer that received. A place outside the pattern adds
 * nothing. The k-th send from one place to another matches the k-th receive there, with the same
 * length. No place needs more buffers than place 0.
 * A builder also runs without buffers, only to count them, so it must not read the round. The
 * functions below return 0, or another value without memory or buffers.
 */
struct build {
	const struct pattern_args *a;
	struct round *round;
	void *const *bufs;	/* NULL: only count the buffers */
	int nbufs, used;
	bool each;		/* count a buffer for each message of an iteration */
	uint32_t repeat;	/* `repeat` of the last step */
	int variant;		/* `variant` of the pattern */
};

/* Sets what this rank does (enum role), and whether its time counts. */
void pattern_set_role(struct build *b, unsigned roles, bool timed);

/*
 * Begins a step that is repeated `repeat` times. At most `window` transfers of a kind are in
 * flight, and a doorbell starts `batch` of them.
 * pattern_step: all `repeat` transfers in flight at once. pattern_step_window: `repeat` is the
 * arguments' window.
 */
int pattern_step_within(struct build *b, uint32_t repeat, uint32_t window, uint32_t batch);
int pattern_step(struct build *b, uint32_t repeat, uint32_t batch);
int pattern_step_window(struct build *b);

/* Adds a transfer with another place to the current step. */
int pattern_add(struct build *b, enum op op, int place, uint32_t lane, size_t len);

/* Begins a step and adds its only transfer, done once. */
int pattern_single_transfer(struct build *b, enum op op, int place, size_t len);

/* Takes the next buffer; returns NULL if none is left. */
void *pattern_next_buffer(struct build *b);

/*
 * Adds a transfer of the root's data for several ranks. `buf` may be received into and then sent
 * from.
 */
int pattern_add_shared(struct build *b, enum op op, int place, void *buf);

/*
 * Adds the transport's own collective operation (enum operation), in place, with place 0 as root.
 */
int pattern_add_native(struct build *b, uint32_t operation, void *buf);

#endif
