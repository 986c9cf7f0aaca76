/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Background load: a thread that computes without pause on the CPUs of the rank that starts it. It
 * has priority SCHED_IDLE, or nice 19 if that is refused. Ranks in virtual time must not use it.
 */
#ifndef NETBENCH_HOST_BACKGROUND_H
#define NETBENCH_HOST_BACKGROUND_H

#include <stdint.h>

/* Starts the thread on the CPUs that the caller may use. Returns NULL (reported) on failure. */
struct background *background_start(void);

/* Ends the thread; NULL is allowed. */
void background_stop(struct background *l);

/*
 * Returns the number of units of work that the thread has done; 0 for NULL. All units are equally
 * long.
 */
uint64_t background_work(const struct background *l);

/*
 * Returns the processor time in s that the calling thread and the background thread have used
 * together; 0 for NULL.
 */
double background_cpu_s(const struct background *l);

/* Returns the priority of this process's background threads, "SCHED_IDLE" or "nice 19". */
const char *background_priority(void);

/*
 * Sleeps for `seconds`. Returns the background thread's speed during the sleep, in units of work
 * per second.
 */
double background_sleep_and_rate(const struct background *l, double seconds);

#endif
