/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Background load: a thread that only computes, on the CPUs of the rank that starts it, under
 * SCHED_IDLE (nice 19 where that is refused). Not for ranks in virtual time.
 */
#ifndef NETBENCH_HOST_BACKGROUND_H
#define NETBENCH_HOST_BACKGROUND_H

#include <stdint.h>

/* Starts a thread on the CPUs that the caller may use; NULL (reported) if it cannot. */
struct background *background_start(void);

/* Ends it; NULL is allowed. */
void background_stop(struct background *l);

/* Units of work that it has done so far, of equal length; 0 for NULL. */
uint64_t background_work(const struct background *l);

/* Processor time that the calling thread and it have had together so far, s; 0 for NULL. */
double background_processor(const struct background *l);

/* Its priority: "SCHED_IDLE" or "nice 19"; the same for all of a process. */
const char *background_priority(void);

/* Sleeps for this time. Returns how many units per second it did meanwhile. */
double background_alone(const struct background *l, double seconds);

#endif
