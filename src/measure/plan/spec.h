/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to measure: one spec is one point of a sweep, and becomes one row. A benchmark's plan makes
 * specs, measure() takes one. A zeroed spec is a good start: 0 and NULL have the meanings below.
 */
#ifndef NETBENCH_MEASURE_PLAN_SPEC_H
#define NETBENCH_MEASURE_PLAN_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/plan/pattern.h"
#include "model/schedule/operation.h"

/* Room for why a spec cannot be measured. */
#define CANNOT_TEXT 80

struct algorithm;

/* Names of loads, by the enum role of those whose processors a computing task shares. */
extern const char *const load_names[];

/* Loops that have not been asked for: a pilot finds them. */
#define LOOPS_BY_PILOT UINT64_MAX

/*
 * Disjoint lists of ranks; a pattern runs in each at the same time. Rank order[i] is in the list
 * that begins at order[first[i]] and has len[i] ranks. at[rank] is where a rank stands in `order`;
 * -1: it has no part. As long as the job. A rank that knows its own list alone has no `at`, but
 * where it stands itself.
 */
struct groups {
	int *order, *first, *len, *at;
	int own;
	int longest;		/* ranks of the largest list */
};

/*
 * Which times of a repetition are kept beside that of its slowest rank. Not RANKS_SLOWEST: each
 * rank's times are kept by themselves (struct result), also in virtual time those of each
 * repetition; of the plan's specs any rank may get any place in `groups` later. With stamps, in
 * real time, a rank's repetition counts as the number of its iterations times the median of the
 * single iterations, or their least.
 */
enum rank_times { RANKS_SLOWEST, RANKS_MEDIAN, RANKS_LEAST };

/*
 * How much is verified. CHECK_ASKED: as --verify says. CHECK_ROUNDS: the same, but not message by
 * message; another visit is. CHECK_ONCE: nothing goes over the network beside the repetitions but
 * each message once at the end.
 */
enum spec_check { CHECK_ASKED, CHECK_ROUNDS, CHECK_ONCE };

/*
 * An operation and its algorithm; NULL: the transport's own. With `in_a_row` iterations follow each
 * other without a start of their own.
 */
#define ROOT_ROTATES (-1)
struct collective {
	enum operation op;
	const struct algorithm *algorithm;
	struct shape shape;
	int root;			/* rank of place 0, or ROOT_ROTATES */
	bool in_a_row;
};

struct spec {
	uint64_t size;		/* bytes of a message */
	uint32_t window;	/* messages in flight */
	bool elastic;		/* not asked for: it is shortened where a point takes too long */
	uint32_t batch;		/* messages posted with one doorbell */
	const struct pattern *pattern;

	/* ---- which ranks ---- */
	int nranks;		/* that take part; 0: all of the job */
	const int *ranks;	/* by place; NULL: 0 to nranks - 1 */
	const struct groups *groups;	/* several lists instead of one */
	bool redraw;		/* the places but 0 are drawn anew for each repetition */
	int needs;		/* ranks that the job must have at least */
	/* stream, read: pairs at once; 0: as many as there are; who they are, the session says */
	int pairs;
	bool bidirectional;	/* stream, read: both ends send */
	const struct tree *tree;	/* multicast: nodes are places */
	const void *program_args;	/* of a pattern with a program */
	const struct collective *collective;	/* a collective operation; NULL: none */

	/* ---- how ---- */
	unsigned load;		/* enum role: whose processors a computing task shares */
	uint32_t series;	/* the same for specs that differ in size alone */
	uint64_t loops;		/* iterations of a repetition, or LOOPS_BY_PILOT */
	uint64_t least_loops;	/* a pilot, or virtual time, takes no fewer */
	double target_s;	/* time of a repetition whose loops a pilot finds; 0: the usual */
	/* exactly so many, unless --repetitions says another number; 0: by the run's rule */
	uint64_t repetitions;
	uint64_t least_repetitions;	/* of each of several visits; 0: by the run's rule */
	bool stamps;		/* single iterations are of interest */
	enum rank_times rank_times;
	enum spec_check check;
	/* of a pattern that is done message by message: the processor is occupied so long between
	 * messages of place 0, s (spaced.h) */
	double pause_s;

	const char *cannot;	/* "n/a: ...": why it cannot be measured; NULL: it can */
	const void *own;	/* the benchmark's own */
};

/*
 * The place of a rank in a job of `size` ranks, -1 if it does not take part, and its pattern's
 * arguments. `order` has the ranks by place of a spec with pairs that has no list of its own; NULL:
 * 0, 1, 2, ...
 */
struct pattern_args spec_args(const struct spec *spec, const int *order, int rank, int size);

/* The buffers that any rank needs at most in a job of `size` ranks. */
int spec_most_buffers(const struct spec *spec, int size);

/* The same if each message of an iteration has a buffer of its own; not of a program. */
int spec_most_messages(const struct spec *spec, int size);

#endif
