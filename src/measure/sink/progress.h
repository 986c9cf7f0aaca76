/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a line of progress on standard error while measuring, if that is a terminal. Rank 0. */
#ifndef NETBENCH_MEASURE_SINK_PROGRESS_H
#define NETBENCH_MEASURE_SINK_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	double last_s;		/* when it was last shown, clock_wall */
};

/* Begins. Shows nothing from now on if `quiet`, or if stderr is no terminal. */
void progress_begin(struct progress *p, bool quiet);

/* The point being measured. slow_s: time of a repetition, if it is long; else 0. */
struct progress_point {
	uint64_t size;
	size_t repetitions;
	double slow_s;
	/* number of the visit, from 0, and of all visits; visits 0 or 1: the only visit */
	uint64_t visit, visits;
};

/*
 * Shows that `done` of n points are measured and that another is being measured; with several
 * visits, counts visits of all points. Shows at most five lines a second, except for slow points.
 */
void progress_show(struct progress *p, size_t done, size_t n, const struct progress_point *point,
		   double elapsed_s);

/* Clears the line, before anything else is printed. */
void progress_clear(struct progress *p);

/*
 * Writes the line's text. If a run measures more points than planned, the total is that of points
 * so far.
 */
#define PROGRESS_TEXT 192
void progress_text(char text[PROGRESS_TEXT], size_t done, size_t n,
		   const struct progress_point *point, double elapsed_s);

#endif
