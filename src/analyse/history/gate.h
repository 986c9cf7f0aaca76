/* SPDX-License-Identifier: Apache-2.0 */
/* The gate: whether a night's runs are slower than the nights before (RUNS.md, (R13)). Pure. */
#ifndef NETBENCH_ANALYSE_HISTORY_GATE_H
#define NETBENCH_ANALYSE_HISTORY_GATE_H

#include "analyse/finding.h"
#include "analyse/history/nights.h"
#include "analyse/runs/groups.h"

/* Fresh runs of a night; after an alarm as many again. */
#define NIGHT_RUNS 3

struct gate {
	size_t before; /* nights */
	size_t looks; /* 1, or 2 with the runs after an alarm */
	double margin; /* 0.05 for 5 % */
	size_t missing; /* points without a value tonight */
	bool streak; /* an alarm is of the last three nights together */
	struct night look[2];
};

/* Judges the last one or two of the nights. */
void gate_judge(const struct nights *nights, size_t looks, double margin, struct gate *gate);

/*
 * Adds the finding "night": slower, not slower, or that it cannot be told yet, as after a first
 * alarm. ST_OK or ST_FAILED (reported).
 */
int gate_findings(const struct nights *nights, const struct gate *gate, struct findings *found);

#endif
