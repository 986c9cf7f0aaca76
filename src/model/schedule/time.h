/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exact time of an algorithm under LogGP: COLLECTIVES.md (38) over the steps of all places. A
 * processor and both sides of its interface work at once (SIM.md 78-83). Pure.
 */
#ifndef NETBENCH_MODEL_SCHEDULE_TIME_H
#define NETBENCH_MODEL_SCHEDULE_TIME_H

#include <stdint.h>

#include "model/loggp.h"
#include "model/schedule/algorithms.h"

/* All places' schedules, and which receive each send meets. */
struct ensemble;

/*
 * Makes the schedules of all places of a shape. NULL without memory, or where sends and receives
 * do not meet: a fault of the algorithm. The caller gives it to ensemble_free.
 */
struct ensemble *ensemble_make(const struct algorithm *of, const struct shape *a);
void ensemble_free(struct ensemble *e);

/* A place's schedule; the ensemble's. */
const struct schedule *ensemble_schedule(const struct ensemble *e, uint32_t place);

/*
 * Time from the common start until the last place is done; c: of adding a byte. In the unit of the
 * parameters, L >= 0. ended[place], unless NULL, gets each place's time. Negative without memory,
 * or if places wait for one another for ever. O(n log n) in the number of all moves n.
 */
double ensemble_time(const struct ensemble *e, const struct loggp *p, double c, double *ended);

/* The same for a shape at once. */
double schedule_time(const struct algorithm *of, const struct shape *a, const struct loggp *p,
		     double c);

#endif
