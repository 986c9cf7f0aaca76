/* SPDX-License-Identifier: Apache-2.0 */
/* Computing tasks that run beside the communication, and how much each slows the other down. */
#ifndef NETBENCH_MEASURE_LOAD_H
#define NETBENCH_MEASURE_LOAD_H

#include "measure/result.h"
#include "measure/session.h"

/*
 * Starts this rank's computing task if the spec wants one here. Once per series, measures how fast
 * all tasks are without communication. Collective; aborts the job on failure.
 */
void load_start(struct session *s, const struct spec *spec);

/* Ends this rank's task, if it has one. */
void load_stop(struct session *s);

/*
 * Rank 0: sets in the result the speed of the tasks, alone and during the repetitions, and the
 * interval of their ratio. The bootstrap draws parts of the time, not single repetitions, because a
 * task may do nothing in one repetition.
 */
void load_summarise(const struct session *s, struct result *res);

#endif
