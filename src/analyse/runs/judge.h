/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the runs of one command, or the blocks of several commands (RUNS.md, (R2)-(R10)). Pure. */
#ifndef NETBENCH_ANALYSE_RUNS_JUDGE_H
#define NETBENCH_ANALYSE_RUNS_JUDGE_H

#include "analyse/finding.h"
#include "analyse/runs/groups.h"
#include "analyse/runs/paired.h"
#include "analyse/runs/table.h"

/* The runs of one command at one point, as values of the measure. NaN: unknown. */
struct run_point {
	size_t n; /* runs with a value */
	double median, lo, hi; /* median and its 95 % interval (R10) */
	struct run_spread spread; /* (R9) */
	double visible; /* smallest slowdown that n blocks would detect; 0.05 is 5 % */
	bool depends; /* true: runs depend on earlier runs, so there is no interval */
};

/* What to judge. The results of the table are sorted by block, and within a block by command. */
struct runs_question {
	size_t commands, blocks;
	double margin; /* 0.05 for 5 % */
	/* level of this interim test, which the comparisons share; NaN: no verdict is wanted */
	double alpha;
};

/* The judgement. Command 0 is A; every other command is compared with A. */
struct runs_judged {
	struct runs_question ask;
	struct run_point *own; /* own[command * points + point] */
	struct paired_point *pair; /* pair[(command - 1) * points + point] */
	enum paired_verdict *verdict; /* verdict[command - 1] */
	size_t *needed; /* needed[command - 1]: number of blocks from paired_needed() */
	double alpha; /* level of each comparison */
	bool settled; /* no further run is needed */
};

/* Returns ST_OK, or ST_FAILED without memory (reported). Call runs_judged_free() in either case. */
int runs_judge(const struct run_table *t, const struct runs_question *ask, struct runs_judged *j);
void runs_judged_free(struct runs_judged *j);

/* The result of comparing a command with A at a point. */
enum run_outcome {
	RUN_UNKNOWN,
	RUN_FASTER,
	RUN_SLOWER,
	RUN_SAME,
	RUN_NO_DIFFERENCE,
	NRUN_OUTCOMES
};
extern const char *const run_outcome_names[NRUN_OUTCOMES]; /* names of the outcomes in rows */
enum run_outcome run_outcome(const struct runs_judged *j, const struct paired_point *p);

/*
 * Adds a finding for each point of each command except A. For each such command also adds a finding
 * of kind "margin", which decides the exit status: whether the command is slower than A by more
 * than the margin. `labels` are the names of the commands.
 */
void runs_findings(const struct run_table *t, const struct runs_judged *j,
		   const char *const *labels, struct findings *found);

#endif
