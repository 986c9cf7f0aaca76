/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs computing tasks beside the communication, and measures how much the tasks and the
 * communication slow each other down.
 */
#ifndef NETBENCH_MEASURE_LOAD_H
#define NETBENCH_MEASURE_LOAD_H

#include "measure/result.h"
#include "measure/session.h"

/*
 * Starts a computing task on this rank if the spec has one for this rank. For the first spec of
 * each series, measures the speed of all tasks without communication. Collective. Aborts the job on
 * failure.
 */
void load_start(struct session *s, const struct spec *spec);

/* Ends this rank's computing task, if there is one. */
void load_stop(struct session *s);

/*
 * Rank 0: stores in the result the speed of all tasks without communication, their speed during the
 * repetitions, and the interval of the ratio of the two speeds. The bootstrap draws parts of
 * several repetitions, because a task may do nothing during a single repetition.
 */
void load_summarise(const struct session *s, struct result *res);

#endif
