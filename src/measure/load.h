/* SPDX-License-Identifier: Apache-2.0 */
/* Computing tasks beside the communication, and how much both slow each other down. */
#ifndef NETBENCH_MEASURE_LOAD_H
#define NETBENCH_MEASURE_LOAD_H

#include "measure/result.h"
#include "measure/session.h"

/*
 * Starts the computing task of this rank if the spec wants one there. Measures once a series how
 * fast all tasks are without communication. Collective; aborts the job if it cannot.
 */
void load_start(struct session *s, const struct spec *spec);

/* Ends the task, if there is one. */
void load_stop(struct session *s);

/*
 * Rank 0: sets in the result how fast the tasks were, alone and during the repetitions, and the
 * interval of the ratio. It draws parts of the time: a task may do nothing in one repetition.
 */
void load_summarise(const struct session *s, struct result *res);

#endif
