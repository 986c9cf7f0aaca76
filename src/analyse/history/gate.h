/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate judges whether the runs of a night are slower than the runs of earlier nights (RUNS.md,
 * (R13)). Pure.
 */
#ifndef NETBENCH_ANALYSE_HISTORY_GATE_H
#define NETBENCH_ANALYSE_HISTORY_GATE_H

#include "analyse/finding.h"
#include "analyse/history/nights.h"
#include "analyse/runs/groups.h"

/* Number of runs of a night. After an alarm, this number of runs is measured again. */
#define NIGHT_RUNS 3

struct gate {
	size_t before; /* number of earlier nights */
	size_t looks; /* number of tests: 1, or 2 if a second set of runs followed an alarm */
	double margin; /* 0.05 for 5 % */
	size_t missing; /* number of points of earlier nights that have no value in this night */
	bool streak; /* true: the alarm is about the latest three nights together */
	struct night look[2];
};

/*
 * Judges the final `looks` nights (1 or 2). Compares each of them with the nights before all of
 * them.
 */
void gate_judge(const struct nights *nights, size_t looks, double margin, struct gate *gate);

/* Adds the finding "night": slower, not slower, or cannot tell (as after a first alarm). */
void gate_findings(const struct nights *nights, const struct gate *gate, struct findings *found);

#endif
