/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line on standard error that says how far a sweep is, if that is a terminal and -q was not given.
 */
#ifndef NETBENCH_MEASURE_PROGRESS_H
#define NETBENCH_MEASURE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Shows point done+1 of n with its size and repetitions so far, and the time left if the rest is as slow as
 * what is done. Redrawn at most five times a second.
 */
void progress_show(size_t done, size_t n, uint64_t size, size_t repetitions, double elapsed_s);

/* Removes the line, before anything else is printed. */
void progress_clear(void);

/* For -q. */
void progress_off(void);

#endif
