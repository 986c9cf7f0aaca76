/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns of communication. A pattern builds the round of one rank; building a round has no other
 * effect. patterns.h lists the patterns that several commands use. A command may define its own
 * pattern in its file.
 */
#ifndef NETBENCH_MEASURE_PLAN_PATTERN_H
#define NETBENCH_MEASURE_PLAN_PATTERN_H

#include "transport/xfer.h"

/* Bytes of the reply that ends a window of messages. */
#define PATTERN_REPLY 1

/*
 * All messages have arrived PATTERN_BACKLOG_S after they were sent, plus 1 s for every 250 MB
 * (METHODS 2.3, E4).
 */
#define PATTERN_BACKLOG_S 1e-3
#define PATTERN_BACKLOG_BPS 250e6

struct tree;
struct build;
struct program;

/*
 * Arguments of a pattern. Its ranks have places 0 to size - 1. `ranks` maps places to ranks of the
 * job, so a pattern can run on any list of ranks.
 */
struct pattern_args {
	int place, size;	/* place: -1 if this rank does not take part */
	const int *ranks;	/* rank at each place; NULL: rank = place */
	size_t len;		/* bytes of a message */
	uint32_t window, batch;
	/* stream, read: number of pairs that communicate at the same time */
	int pairs;
	bool bidirectional;	/* stream, read: both ends send and receive */
	const struct tree *tree;	/* multicast: the tree, whose nodes are the places */
};

/* A pattern: the capabilities it needs, and the function that builds the round of a rank. */
struct pattern {
	const char *name;
	unsigned needs;		/* capabilities it needs, enum cap */
	/*
	 * Fills an empty round, except for the count of iterations. Returns 0, or non-zero if
	 * memory runs out. NULL: `program` runs instead.
	 */
	int (*build)(struct build *b);
	/* tells patterns with the same `build` function apart; that function defines the values */
	int variant;
	/* Default number of iterations of a repetition. 0: as many as take about 10 ms. */
	uint64_t loops;
	/*
	 * Rank 0 has place 0 and sends first. If clocks are synchronised, the time of a round
	 * counts from the start of rank 0.
	 */
	bool from_root;
	/* messages are sent one by one, with pauses between them (spaced.h) */
	bool spaced;
	const struct program *program;	/* the program (program.h), if `build` is NULL */
};

/*
 * Builds the round of place a->place. Each of the `nbufs` buffers must be as long as a message and
 * at least PATTERN_REPLY bytes. Returns 0, or non-zero if memory runs out or the pattern needs more
 * buffers.
 */
int pattern_build(const struct pattern *p, const struct pattern_args *a, void *const *bufs,
		  int nbufs, struct round *r);

/*
 * Returns the number of buffers that place a->place needs, or -1 if memory runs out. No place needs
 * more than place 0. If `timed` is not NULL, sets *timed to whether the time of the place counts.
 */
int pattern_buffers(const struct pattern *p, const struct pattern_args *a, bool *timed);

/* Like pattern_buffers, but with a separate buffer for each message of an iteration. */
int pattern_messages(const struct pattern *p, const struct pattern_args *a);

/* ---- functions for `build` ---- */

/*
 * The round that is being built for place a->place. Each transfer has a buffer of its own, except
 * that a multicast sends from the buffer it received into. A place outside the pattern adds nothing
 * to its round. The k-th send from one place to another matches the k-th receive there, of the same
 * length. No place needs more buffers than place 0.
 * A `build` function also runs without buffers, only to count them, so it must not read the round.
 * The functions below return 0, or non-zero if memory or buffers run out.
 */
struct build {
	const struct pattern_args *a;
	struct round *round;
	void *const *bufs;	/* NULL: only count the buffers */
	int nbufs, used;
	bool each;		/* count a buffer for each message of an iteration */
	uint32_t repeat;	/* `repeat` of the current step */
	int variant;		/* `variant` of the pattern */
};

/* Sets the roles of this rank (enum role), and whether its time counts. */
void pattern_set_role(struct build *b, unsigned roles, bool timed);

/*
 * Begins a step. Each of its transfers is repeated `repeat` times. At most `window` transfers of a
 * kind are in flight, and one doorbell starts `batch` of them.
 * pattern_step: all `repeat` transfers may be in flight at once. pattern_step_window: `repeat` is
 * the window in the arguments.
 */
int pattern_step_within(struct build *b, uint32_t repeat, uint32_t window, uint32_t batch);
int pattern_step(struct build *b, uint32_t repeat, uint32_t batch);
int pattern_step_window(struct build *b);

/* Adds a transfer to or from the rank at `place` to the current step. */
int pattern_add(struct build *b, enum op op, int place, uint32_t lane, size_t len);

/* Begins a step with a single transfer, which is not repeated. */
int pattern_single_transfer(struct build *b, enum op op, int place, size_t len);

/* Takes the next buffer; returns NULL if none is left. */
void *pattern_next_buffer(struct build *b);

/*
 * Adds a transfer of data that goes from the root to several ranks. A rank may receive into `buf`
 * and then send from it.
 */
int pattern_add_shared(struct build *b, enum op op, int place, void *buf);

/*
 * Adds the transport's own collective operation (enum operation). The operation works in place, and
 * place 0 is its root.
 */
int pattern_add_native(struct build *b, uint32_t operation, void *buf);

#endif
