/* SPDX-License-Identifier: Apache-2.0 */
#include "result/ended.h"

const char *const stop_names[] = {
	[STOP_NOT] = "none",
	[STOP_CI] = "ci",
	[STOP_REPETITIONS] = "repetitions",
	[STOP_POINT_TIME] = "point-time",
	[STOP_SLOW] = "slow",
	[STOP_TIME_LIMIT] = "time-limit",
	[STOP_DETERMINISTIC] = "deterministic",
	[STOP_SIGNAL] = "signal",
};
