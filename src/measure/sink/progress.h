/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows a line of progress on standard error during the run, if standard error is a terminal. Rank
 * 0 only.
 */
#ifndef NETBENCH_MEASURE_SINK_PROGRESS_H
#define NETBENCH_MEASURE_SINK_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	double last_s;		/* when the line was last shown, by clock_wall */
};

/* Starts the line. If `quiet`, or if standard error is no terminal, progress_show shows nothing. */
void progress_begin(struct progress *p, bool quiet);

/*
 * The point that is being measured. slow_s is the time of a repetition, s, if the point is slow;
 * else 0.
 */
struct progress_point {
	uint64_t size;
	size_t repetitions;
	double slow_s;
	/*
	 * visit: number of the current visit, from 0. visits: number of all visits; 0 or 1 if there
	 * is only one.
	 */
	uint64_t visit, visits;
};

/*
 * Shows that `done` of n points are measured, and that `point` is being measured. With several
 * visits, `done` and n count the visits of all points. Shows at most five lines a second, except
 * for slow points.
 */
void progress_show(struct progress *p, size_t done, size_t n, const struct progress_point *point,
		   double elapsed_s);

/* Clears the line, before anything else is printed. */
void progress_clear(struct progress *p);

/*
 * Writes the text of the line. If a run measures more points than planned, the number of points so
 * far replaces n.
 */
#define PROGRESS_TEXT 192
void progress_text(char text[PROGRESS_TEXT], size_t done, size_t n,
		   const struct progress_point *point, double elapsed_s);

#endif
