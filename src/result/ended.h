/* SPDX-License-Identifier: Apache-2.0 */
/* The reason why the repetitions of a point ended, and its name in results. */
#ifndef NETBENCH_RESULT_ENDED_H
#define NETBENCH_RESULT_ENDED_H

/* Why a point's repetitions ended: the column `stop`. */
enum stop {
	STOP_NOT,		/* go on */
	STOP_CI,		/* interval of the median narrow enough */
	STOP_REPETITIONS,	/* --repetitions reached */
	STOP_POINT_TIME,	/* --point-time spent */
	STOP_SLOW, /* fewer repetitions than the minimum; one more would exceed the point's time */
	STOP_TIME_LIMIT,	/* --time-limit reached: the whole run ends */
	STOP_DETERMINISTIC,	/* virtual time: all repetitions are equal */
	STOP_SIGNAL,		/* interrupted */
};
extern const char *const stop_names[];

#endif
