/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exact time of an algorithm under LogGP: COLLECTIVES.md (38) over the steps of all places. A
 * place's processor, the sending and the receiving port of its interface work at the same time
 * (SIM.md 78-83). Pure.
 */
#ifndef NETBENCH_MODEL_SCHEDULE_TIME_H
#define NETBENCH_MODEL_SCHEDULE_TIME_H

#include <stdint.h>

#include "model/loggp.h"
#include "model/schedule/algorithms.h"

/* The schedules of all places, with each send matched to its receive. */
struct ensemble;

/*
 * Makes the schedules of all places of a shape. Returns NULL without memory, or if sends and
 * receives do not match, which is a fault of the algorithm. The caller frees it with ensemble_free.
 */
struct ensemble *ensemble_make(const struct algorithm *of, const struct shape *a);
void ensemble_free(struct ensemble *e);

/* A place's schedule, owned by the ensemble. */
const struct schedule *ensemble_schedule(const struct ensemble *e, uint32_t place);

/*
 * Time from the common start until the last place has ended, in the unit of the parameters. c: time
 * to add one byte. L >= 0. Unless `ended` is NULL, ended[place] gets each place's time. Negative
 * without memory, or if places wait for each other forever (deadlock). O(n log n) for n moves in
 * all.
 */
double ensemble_time(const struct ensemble *e, const struct loggp *p, double c, double *ended);

/* Makes the ensemble of a shape and returns its ensemble_time. */
double schedule_time(const struct algorithm *of, const struct shape *a, const struct loggp *p,
		     double c);

#endif
