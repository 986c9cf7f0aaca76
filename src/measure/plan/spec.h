/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A spec says what to measure. A spec is one point of a sweep and becomes one row. The plan of a
 * benchmark makes specs, and measure() measures one. A zeroed spec is a valid start: 0 and NULL
 * have the meanings below.
 */
#ifndef NETBENCH_MEASURE_PLAN_SPEC_H
#define NETBENCH_MEASURE_PLAN_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/plan/pattern.h"
#include "model/schedule/operation.h"

/* Size of the text that says why a spec cannot be measured. */
#define CANNOT_TEXT 80

struct algorithm;
struct composition;

/*
 * Names of the loads. A load says which ranks share their processor with a computing task. The
 * index is a set of enum role.
 */
extern const char *const load_names[];

/* Value of `loops` if the command line sets none: a pilot finds the number. */
#define LOOPS_BY_PILOT UINT64_MAX

/*
 * Disjoint lists of ranks. A pattern runs in all lists at the same time. at[rank] is the index of a
 * rank in `order`, or -1 if the rank takes no part. The rank with index i is in the list that
 * begins at order[first[i]] and has len[i] ranks. The arrays exist as long as the job. If a rank
 * knows only its own list, `at` is NULL and `own` is the index of the rank.
 */
struct groups {
	int *order, *first, *len, *at;
	int own;
	int longest;		/* number of ranks in the largest list */
};

/*
 * Which times of a repetition are kept.
 * RANKS_SLOWEST: only the time of the slowest rank. RANKS_MEDIAN and RANKS_LEAST: also the time of
 * each rank (struct result). With RANKS_MEDIAN and RANKS_LEAST, all repetitions are measured, even
 * in virtual time. With stamps and real time, the time of a rank is its number of iterations times
 * the median (RANKS_MEDIAN) or the shortest (RANKS_LEAST) of its iterations. Later specs of the
 * plan may give any rank any place in `groups`.
 */
enum rank_times { RANKS_SLOWEST, RANKS_MEDIAN, RANKS_LEAST };

/*
 * What is verified.
 * CHECK_ASKED: what --verify says.
 * CHECK_ROUNDS: what --verify says, but without verification message by message, because another
 * visit does that.
 * CHECK_ONCE: each message is sent only once more besides the repetitions, at the end.
 */
enum spec_check { CHECK_ASKED, CHECK_ROUNDS, CHECK_ONCE };

/*
 * A collective operation and its algorithm. If `algorithm` is NULL, the transport's own operation
 * is used; or, if `composed` is not NULL, this composition of the transport's operations. With
 * `in_a_row`, operations follow each other directly, without a common start for each.
 */
#define ROOT_ROTATES (-1)
enum reduce_op { REDUCE_SUM, REDUCE_MAX };
/* Values that operations add: whole numbers, so that every sum is exact, or arbitrary doubles. */
enum reduce_values { VALUES_WHOLE, VALUES_REAL };
struct collective {
	enum operation op;
	enum reduce_op reduce_op;
	enum reduce_values values;
	const struct algorithm *algorithm;
	const struct composition *composed;
	struct shape shape;
	bool overlap;			/* measure the overlap with computing, too */
	bool cold;			/* each operation finds its buffers outside the caches */
	int root;			/* rank at place 0, or ROOT_ROTATES */
	bool in_a_row;
};

struct spec {
	uint64_t size;		/* bytes of a message */
	uint32_t window;	/* messages in flight */
	/* the user set no window, so the window may be shortened if a point takes too long */
	bool elastic;
	uint32_t batch;		/* messages posted with one doorbell */
	const struct pattern *pattern;

	/* ---- which ranks ---- */
	int nranks;		/* number of ranks that take part; 0: all ranks of the job */
	const int *ranks;	/* rank at each place; NULL: 0 to nranks - 1 */
	/* lists of ranks that run at the same time; NULL: one list, `ranks` */
	const struct groups *groups;
	/* before each repetition, the ranks at all places but 0 are drawn again */
	bool redraw;
	int needs;		/* fewest ranks that the job must have */
	/*
	 * stream, read: number of pairs at the same time, whose ranks the session chooses; 0: as
	 * many as possible
	 */
	int pairs;
	bool bidirectional;	/* stream, read: both ends send */
	const struct tree *tree;	/* multicast: the tree; its nodes are the places */
	const void *program_args;	/* arguments of a pattern's program */
	const struct collective *collective;	/* a collective operation; NULL: none */

	/* ---- how ---- */
	unsigned load;		/* enum role: whose processors a computing task shares */
	/* number of the spec's series; specs that differ only in size have the same number */
	uint32_t series;
	uint64_t loops;		/* iterations of a repetition, or LOOPS_BY_PILOT */
	/* fewest loops, if a pilot chooses the number, or in virtual time */
	uint64_t least_loops;
	/* target time of a repetition whose loops a pilot finds, s; 0: the default */
	double target_s;
	/*
	 * fixed number of repetitions, unless --repetitions is given; 0: the run's stopping rule
	 * decides
	 */
	uint64_t repetitions;
	/* fewest repetitions in each of several visits; 0: the run's stopping rule decides */
	uint64_t least_repetitions;
	bool stamps;		/* the times of single iterations are kept */
	enum rank_times rank_times;
	enum spec_check check;
	/*
	 * Only for patterns that send message by message: time for which place 0 keeps the
	 * processor busy between messages, s (spaced.h).
	 */
	double pause_s;

	const char *cannot;	/* "n/a: ...": why the spec cannot be measured; NULL: it can */
	const void *own;	/* data that only the benchmark itself reads */
};

/*
 * Returns the pattern arguments of a rank in a job of `size` ranks. `place` is -1 if the rank takes
 * no part. If the spec has pairs and no list of ranks, order[place] is the rank at a place; NULL:
 * 0, 1, 2, ...
 */
struct pattern_args spec_pattern_args(const struct spec *spec, const int *order, int rank,
				      int size);

/* Returns the largest number of buffers that any rank needs in a job of `size` ranks. */
int spec_max_buffers(const struct spec *spec, int size);

/*
 * Returns the largest number of buffers that any rank needs if each message of an iteration has a
 * buffer of its own. Not for programs.
 */
int spec_max_messages(const struct spec *spec, int size);

#endif
