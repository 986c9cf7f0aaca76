/* SPDX-License-Identifier: Apache-2.0 */
/* One line on a terminal's standard error while measuring; nothing where stderr is no terminal. Rank 0. */
#ifndef NETBENCH_MEASURE_PROGRESS_H
#define NETBENCH_MEASURE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	double last_s;		/* when it was shown last, clock_wall */
};

/* Shows nothing from now on if `quiet`, or if stderr is no terminal. */
void progress_begin(struct progress *p, bool quiet);

/* Shows that `done` of n points are measured and the next is under way; at most some five times a second. */
void progress_show(struct progress *p, size_t done, size_t n, uint64_t size, size_t repetitions, double elapsed_s);

/* Wipes the line away, before anything else is printed. */
void progress_clear(struct progress *p);

/* The line's text. A run that measures more points than were planned has as many as it has come to. */
#define PROGRESS_TEXT 128
void progress_text(char text[PROGRESS_TEXT], size_t done, size_t n, uint64_t size, size_t repetitions, double elapsed_s);

#endif
