/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plan: ranks, sizes, specs and loop counts, decided before any rank starts. Once ranks have
 * started, the plan is read-only and the same on all ranks. The `plan` hook of a benchmark fills
 * the plan with the functions below.
 */
#ifndef NETBENCH_MEASURE_PLAN_PLAN_H
#define NETBENCH_MEASURE_PLAN_PLAN_H

#include <stdio.h>

#include "measure/plan/benchmark.h"
#include "measure/plan/between.h"
#include "measure/plan/settings.h"
#include "measure/plan/spec.h"
#include "measure/plan/stop.h"

/* Target time of a repetition, s, unless the command line sets the loops. */
#define ROUND_TARGET_S 10e-3

/* Most iterations that a pilot may find, unless a plan sets a smaller limit. */
#define PILOT_MOST (1 << 20)

/*
 * If the whole run has a time (time_s), each point gets an equal share of this time.
 * SHARE_OF_REPETITIONS is the part of a share for the repetitions; pilots and verification get the
 * rest. A slow point gets SHARES_OF_A_SLOW_POINT shares.
 */
#define SHARE_OF_REPETITIONS 0.8
#define SHARES_OF_A_SLOW_POINT 3.0

/* Default number of visits of a point. */
#define USUAL_VISITS 6

/* Defaults that a benchmark's plan may change. */
struct plan_usual {
	uint64_t max_loops;	/* most iterations that a pilot may find */
	double ci;		/* default of --ci, percent; 0: the default of the option */
	bool once;		/* a point always has one visit; --visits is refused */
	bool once_unasked;	/* a point has one visit unless --visits is given */
	/* not 0: default of --visits in real time; then each visit has one repetition */
	uint64_t visits;
	/* name of the definition if points have several visits; NULL: the usual name */
	const char *visited;
	/*
	 * Approximate time that all points together may take, s. Each point gets a share of the
	 * time left. The run ends soon after time_s. 0: no such limit.
	 */
	double time_s;
};

/* The time limit of the run. */
struct time_limit {
	double seconds;		/* 0: none */
	double planned_s;	/* when the plan was made, by clock_wall() of this process, s */
	/* true: the limit counts from planned_s; false: from the start of the measurement */
	bool from_plan;
};


struct plan {
	const struct settings *settings;
	const struct benchmark *what;
	/* copied from `what`, unless the `plan` hook of the benchmark sets others */
	const char *definition;
	const struct pattern *pattern;
	int ranks;			/* of the job */
	/* how ranks are paired for specs that have pairs but no list of ranks */
	struct pairing pairing;
	struct numbers sizes;
	struct spec *specs;
	size_t n, room;
	struct plan_usual usual;
	struct stopping stopping;
	uint64_t warmup;		/* number of warm-up rounds */
	struct time_limit limit;
	struct plan_memory *memory;	/* memory that is freed with the plan */
};

/*
 * Makes the plan of a benchmark. Also completes what the settings left open: sizes, repetitions,
 * time limit, names of backend and job, the record of the options. Returns ST_OK or an exit status
 * (reported). Call plan_free in both cases.
 */
int plan_make(struct plan *p, struct settings *st, const struct benchmark *what);

/*
 * Reports that a command needs the capability `missing`, which the backend lacks. Returns
 * ST_UNAVAILABLE.
 */
int plan_report_missing(const char *command, const char *missing, const char *backend);
void plan_free(struct plan *p);

/*
 * Returns the capabilities that the specs need for --verify every or every-timed. Returns 0 if
 * neither is asked for.
 */
unsigned plan_verify_caps(const struct plan *p);

/* Prints the plan for --dry-run. */
void plan_print(const struct plan *p, FILE *to);

/* ---- for a benchmark's `plan` ---- */

/*
 * Sets the number of ranks: the number that the launcher started, else the largest of --ranks, else
 * `usual`, but not more than the backend allows. Reports a number out of range. Returns ST_OK or
 * ST_USAGE.
 */
int plan_ranks(struct plan *p, uint64_t usual);

/* Returns the largest number of ranks that this backend and job allow. */
int plan_max_ranks(const struct plan *p);

/*
 * Returns the number of cores for which a plan chooses its ranks: the cores of this machine, or 2
 * in virtual time.
 */
int plan_cores(const struct plan *p);

/*
 * Adds a copy of a spec. plan_add_sizes adds one copy for each size. Returns ST_OK, or ST_FAILED if
 * memory runs out (reported).
 */
int plan_add(struct plan *p, const struct spec *spec);
int plan_add_sizes(struct plan *p, const struct spec *spec);

/*
 * Like plan_add_sizes, but adds copies for all combinations of sizes, windows and batches. Sizes
 * vary fastest. Skips combinations in which the batch is larger than the window.
 */
int plan_add_windows(struct plan *p, const struct spec *spec, const struct numbers *windows,
		     const struct numbers *batches);

/* Allocates zeroed memory that plan_free frees. Returns NULL if memory runs out (reported). */
void *plan_alloc(struct plan *p, size_t n, size_t size);

/*
 * Makes plan_free call release(what). Returns ST_OK, or ST_FAILED if memory runs out (reported). If
 * it fails, it has already called release(what).
 */
int plan_free_later(struct plan *p, void (*release)(void *), void *what);

/*
 * Returns the number of loops of a spec in virtual time, at most `most`. In virtual time all
 * iterations are alike, so few are enough. The more messages an iteration has, the fewer loops are
 * chosen. A program gets the loops that it needs until its pace is steady.
 */
uint64_t plan_virtual_loops(const struct plan *p, const struct spec *spec, uint64_t most);

/* ---- pure parts ---- */

/*
 * Makes the list of sizes of a sweep: the sizes of `explicit` in their order if there are any; else
 * the powers of two from 2^min_log2 to 2^max_log2. Reports an error if min_log2 > max_log2 or
 * max_log2 > 63. The caller frees list->v. Returns ST_OK, ST_USAGE, or ST_FAILED if memory runs
 * out.
 */
int plan_sizes(const struct numbers *explicit, uint64_t min_log2, uint64_t max_log2,
	       struct numbers *list);

/*
 * Returns the number of loops that b_eff uses, max(u / ceil(L/(2 w)), l), with integer division;
 * ceil(0) counts as 1 (DEFINITIONS 3). L is `size`, and w is the channel width in bytes.
 */
uint64_t plan_beff_loops(uint64_t u, uint64_t l, uint64_t w, uint64_t size);

/*
 * Returns the u for which plan_beff_loops gives `loops` at this size, or slightly more because of
 * integer division.
 */
uint64_t plan_beff_upper(uint64_t loops, uint64_t w, uint64_t size);

/*
 * Returns the number of loops, 1 to max, with which a round lasts at least target_s, if one loop
 * takes loop_s.
 */
uint64_t plan_loops(double target_s, double loop_s, uint64_t max);

#endif
