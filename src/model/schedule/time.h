/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the exact time of an algorithm under LogGP, by applying COLLECTIVES.md (38) to the steps
 * of all places. The processor of a place and the two ports of its interface, for sending and
 * receiving, work at the same time (SIM.md 78-83). Pure.
 */
#ifndef NETBENCH_MODEL_SCHEDULE_TIME_H
#define NETBENCH_MODEL_SCHEDULE_TIME_H

#include <stdint.h>

#include "model/loggp.h"
#include "model/schedule/algorithms.h"

/* The schedules of all places, with each send matched to its receive. */
struct ensemble;

/*
 * Makes the schedules of all places of a shape. Returns NULL if memory runs out, or if sends and
 * receives do not match, which is a fault of the algorithm. The caller frees the result with
 * ensemble_free.
 */
struct ensemble *ensemble_make(const struct algorithm *of, const struct shape *a);
void ensemble_free(struct ensemble *e);

/* Returns the schedule of a place. The ensemble owns it. */
const struct schedule *ensemble_schedule(const struct ensemble *e, uint32_t place);

/*
 * Returns the time from the common start until the last place has ended, in the unit of the
 * parameters. c is the time to add one byte. L must be >= 0. If `ended` is not NULL, sets ended[i]
 * to the time at which place i has ended. Returns a negative value if memory runs out, or if places
 * wait for each other forever (deadlock). Takes O(n log n) for n moves in all.
 */
double ensemble_time(const struct ensemble *e, const struct loggp *p, double c, double *ended);

/* Makes the ensemble of a shape and returns its ensemble_time. */
double schedule_time(const struct algorithm *of, const struct shape *a, const struct loggp *p,
		     double c);

/*
 * Like schedule_time, with parameters and result in seconds. Computes in ns, as backend sim does.
 * Messages which arrive at the same time in sim therefore also do so here.
 */
double schedule_seconds(const struct algorithm *of, const struct shape *a, const struct loggp *p,
			double c);

#endif
