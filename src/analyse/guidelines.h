/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Performance guidelines of collective operations: an operation should not be slower than its
 * alternatives (COLLECTIVES.md section 5). Judges rows that were measured in several visits, or
 * computed. Pure.
 */
#ifndef NETBENCH_ANALYSE_GUIDELINES_H
#define NETBENCH_ANALYSE_GUIDELINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/finding.h"
#include "base/stats.h"

/*
 * What was measured of one point. The texts are those of the columns of `collective`: names of
 * operation and algorithm, and the root, which is "" for an operation without one.
 */
struct guideline_row {
	const char *operation, *algorithm, *root;
	uint64_t ranks, size;
	double time_s;		/* median over all visits; NaN: not reliable */
	bool behind_barrier;	/* the time is that behind a barrier */
	struct series visits;	/* median time of each visit, s; empty: not known */
	size_t dropped;		/* number of visits before those, whose times were removed */
};

/* A list of rows. A zeroed struct is empty. */
struct guideline_rows {
	struct guideline_row *at;
	size_t n;
	bool exact;		/* times are computed: they are compared as they are */
	bool of_mpi;		/* native operations are MPI's */
};

/*
 * Adds a copy of a row. The list takes over the memory of row->visits, also after a fault. Returns
 * ST_OK, or ST_FAILED if memory runs out (reported).
 */
int guideline_rows_add(struct guideline_rows *all, const struct guideline_row *row);
void guideline_rows_free(struct guideline_rows *all);

/*
 * Adds to *visits the median of each of n visits. x holds the medians of all blocks in order, and
 * end[i] is the index of the first one after visit i. Adds nothing unless x has end[n - 1]
 * values. Returns 0, or -1 if memory runs out.
 */
int guideline_visits(const struct series *x, const size_t *end, size_t n, struct series *visits);

/*
 * Adds the rows of a result of `collective` that have times. Returns ST_OK, or ST_FAILED if memory
 * runs out (reported).
 */
int guideline_rows_read(struct guideline_rows *all, const json_t *doc);

/* Levels of (48): a left side is slower if it is by more than this, with this chance of error. */
#define GUIDELINE_MARGIN 0.05
#define GUIDELINE_CHANCE 0.01

/*
 * Judges all guidelines for which there are rows, by (48). Left side of a point is the native row;
 * or, if no row is native, the first row of netbench's algorithms. Right sides are, at the same
 * point, the compositions of the same kind; the best of netbench's algorithms; and the left side at
 * the next size, and twice the left side at half the size.
 * The best algorithm is chosen by the first fifth of the visits, and judged by the others.
 * Adds a finding of kind "guideline" for each. VERDICT_YES: violated. VERDICT_CANNOT_TELL: fewer
 * visits than (49) demands, or no comparable times. The effect is relative, 0.3 is 30 % slower.
 * Evidence: left, right, size_B, other_B, ranks, ratio, ratio_lo, ratio_hi, p (by Holm), visits.
 * The findings decide if `decides`. Returns ST_OK, or ST_FAILED if memory runs out (reported).
 */
int guidelines_judge(const struct guideline_rows *rows, bool decides, struct findings *found);

/* From `from` bytes on, `row` is the quickest of its operation, root and number of ranks. */
struct quickest {
	const struct guideline_row *row;
	uint64_t from;
};

/*
 * Lists which algorithm has the shortest median time from which size on, operation by operation and
 * in rising order of sizes. An entry is listed if its algorithm differs from that of the size
 * before. Returns the list, which the caller frees, and its length in *n; or NULL if memory runs
 * out (reported).
 */
struct quickest *guidelines_quickest(const struct guideline_rows *rows, size_t *n);

#endif
