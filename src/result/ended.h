/* SPDX-License-Identifier: Apache-2.0 */
/* The reason why the repetitions of a point ended, and its name in results. */
#ifndef NETBENCH_RESULT_ENDED_H
#define NETBENCH_RESULT_ENDED_H

/* Why the repetitions of a point ended. The column `stop` states it. */
enum stop {
	STOP_NOT,		/* not ended: another repetition follows */
	STOP_CI,		/* the interval of the median is narrow enough */
	STOP_REPETITIONS,	/* --repetitions reached */
	STOP_POINT_TIME,	/* --point-time spent */
	/* fewer repetitions than the minimum, because one more would exceed the point's time */
	STOP_SLOW,
	STOP_TIME_LIMIT,	/* --time-limit reached: the whole run ends */
	STOP_DETERMINISTIC,	/* virtual time: all repetitions are equal */
	STOP_SIGNAL,		/* interrupted */
};
extern const char *const stop_names[];

#endif
