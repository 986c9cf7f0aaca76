/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A computing task beside the communication, on the processor of the rank that starts it and of lower priority: a
 * thread under SCHED_IDLE (nice 19 where that is refused) that does nothing but compute. In real time alone.
 */
#ifndef NETBENCH_HOST_BACKGROUND_H
#define NETBENCH_HOST_BACKGROUND_H

#include <stdint.h>

struct load;

/* Starts one on the CPUs that the calling thread may use; NULL (reported) if it cannot be. */
struct load *load_start(void);

/* Ends it; NULL is allowed. */
void load_stop(struct load *l);

/* Units of work that it has done so far, all alike; 0 for NULL. */
uint64_t load_work(const struct load *l);

/* What its priority is: "SCHED_IDLE" or "nice 19"; the same for all of a process. */
const char *load_priority(void);

/* How many units a second it does while this thread sleeps for that long. */
double load_alone(const struct load *l, double seconds);

#endif
