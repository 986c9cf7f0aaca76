/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of communication: each builds one rank's round. Pure. patterns.h has those that several
 * commands use; a command may define another beside what it measures with it.
 */
#ifndef NETBENCH_MEASURE_PLAN_PATTERN_H
#define NETBENCH_MEASURE_PLAN_PATTERN_H

#include "transport/xfer.h"

/* Bytes of the reply that ends a window of messages. */
#define PATTERN_REPLY 1

/* Time in which messages surely arrive (METHODS 2.3, E4): this, plus their bytes at 250 MB/s. */
#define PATTERN_BACKLOG_S 1e-3
#define PATTERN_BACKLOG_BPS 250e6

struct tree;
struct build;
struct program;

/*
 * What a pattern is built for. It numbers its ranks by places 0 to size-1; `ranks` says which rank
 * of the job has which place, so that any pattern can run on any list of ranks.
 */
struct pattern_args {
	int place, size;	/* place: -1 if this rank does not take part */
	const int *ranks;	/* of each place; NULL: rank = place */
	size_t len;		/* bytes of a message */
	uint32_t window, batch;
	int pairs;		/* stream, read: pairs at once */
	bool bidirectional;	/* stream, read: both ends send and receive */
	const struct tree *tree;	/* multicast: its nodes are the places */
};

/* A pattern: which capabilities it needs, and how a rank's round is built. */
struct pattern {
	const char *name;
	unsigned needs;		/* enum cap */
	/* Fills an empty round but for its count. Not 0 without memory. NULL: `program` plays. */
	int (*build)(struct build *b);
	int variant;		/* of patterns with the same `build`, which gives it a meaning */
	/* Iterations of a repetition if none are asked for; 0: as many as last about 10 ms. */
	uint64_t loops;
	/* Rank 0 has place 0 and sends first: if clocks agree, time counts from its start. */
	bool from_root;
	bool spaced;		/* done message by message, with pauses between (spaced.h) */
	const struct program *program;	/* plays by messages (program.h), for want of `build` */
};

/*
 * Builds a place's round with `nbufs` buffers, each of a message's length or PATTERN_REPLY at
 * least. 0; another value without memory, or if the pattern takes more buffers.
 */
int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs,
		  int nbufs, struct round *r);

/*
 * Buffers that a place takes; no place takes more than place 0. *timed, if it is not NULL, says
 * whether the place's clock counts. -1 without memory.
 */
int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed);

/* The same if each message of an iteration has a buffer of its own. */
int pattern_messages(const struct pattern *p, const struct pattern_args *a);

/* ---- for a pattern's `build` ---- */

/*
 * A round being built, for the place that `a` says. Each transfer takes a buffer of its own; only
 * what a multicast receives and sends on is one buffer. A place outside the pattern adds nothing.
 * The k-th send from one place to another meets the k-th receive there, with the same length. No
 * place needs more buffers than place 0. A builder also runs without buffers, to count them, so it
 * reads nothing of the round. The functions below yield 0, or another value without memory or
 * buffers.
 */
struct build {
	const struct pattern_args *a;
	struct round *round;
	void *const *bufs;	/* NULL: only count them */
	int nbufs, used;
	bool each;		/* count one for each message of an iteration */
	uint32_t repeat;	/* of the last step */
	int variant;		/* of the pattern */
};

/* What this rank does (enum role), and whether its clock counts. */
void pattern_takes_part(struct build *b, unsigned roles, bool timed);

/*
 * Begins a step, which is done `repeat` times with at most `window` transfers of a kind in flight,
 * `batch` to a doorbell. pattern_step: all of them in flight; pattern_window: as often as the
 * arguments' window says.
 */
int pattern_step_within(struct build *b, uint32_t repeat, uint32_t window, uint32_t batch);
int pattern_step(struct build *b, uint32_t repeat, uint32_t batch);
int pattern_window(struct build *b);

/* Adds a transfer with a place to the step. */
int pattern_add(struct build *b, enum op op, int place, uint32_t lane, size_t len);

/* A step of one transfer, done once. */
int pattern_lone(struct build *b, enum op op, int place, size_t len);

/* The next buffer; NULL if all are used. */
void *pattern_buffer(struct build *b);

/* Data of the root for several ranks: the buffer may be received into and then sent from. */
int pattern_add_shared(struct build *b, enum op op, int place, void *buf);

/* The transport's own operation (enum operation), with place 0 as root, in place. */
int pattern_add_native(struct build *b, uint32_t operation, void *buf);

#endif
