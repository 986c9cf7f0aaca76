/* SPDX-License-Identifier: Apache-2.0 */
/* A line of progress on standard error while measuring, if that is a terminal. Rank 0. */
#ifndef NETBENCH_MEASURE_SINK_PROGRESS_H
#define NETBENCH_MEASURE_SINK_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	double last_s;		/* when it was last shown, clock_wall */
};

/* Shows nothing from now on if `quiet`, or if stderr is no terminal. */
void progress_begin(struct progress *p, bool quiet);

/* The point under way; slow_s: of a repetition, if that takes long, else 0. */
struct progress_point {
	uint64_t size;
	size_t repetitions;
	double slow_s;
	uint64_t visit, visits;		/* this one, from 0, of so many; 0 or 1: the only one */
};

/*
 * Shows that `done` of n points, or visits of all, are measured and one is under way; at most five
 * times a second, unless that takes long.
 */
void progress_show(struct progress *p, size_t done, size_t n, const struct progress_point *point,
		   double elapsed_s);

/* Clears the line, before anything else is printed. */
void progress_clear(struct progress *p);

/* The line's text. A run that measures more points than planned shows those measured as all. */
#define PROGRESS_TEXT 192
void progress_text(char text[PROGRESS_TEXT], size_t done, size_t n,
		   const struct progress_point *point, double elapsed_s);

#endif
