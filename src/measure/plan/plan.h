/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What will be measured, decided before any rank starts: ranks, sizes, specs, loop lengths.
 * Read-only afterwards, and the same on all ranks. A benchmark's `plan` fills it with the functions
 * below.
 */
#ifndef NETBENCH_MEASURE_PLAN_PLAN_H
#define NETBENCH_MEASURE_PLAN_PLAN_H

#include <stdio.h>

#include "measure/plan/benchmark.h"
#include "measure/plan/between.h"
#include "measure/plan/settings.h"
#include "measure/plan/spec.h"
#include "measure/plan/stop.h"

/* Repetitions last about this time, unless loops were asked for. */
#define ROUND_TARGET_S 10e-3

/* Iterations that a pilot may find at most, unless a plan says less. */
#define PILOT_MOST (1 << 20)

/*
 * If the run's time was asked for (time_s), each point gets a like share of it. The repetitions get
 * this part of the share; the rest goes to pilots and verification. A slow point gets several
 * shares.
 */
#define SHARE_OF_REPETITIONS 0.8
#define SHARES_OF_A_SLOW_POINT 3.0

/* Visits of a point, unless --visits says another number. */
#define USUAL_VISITS 6

/* What a benchmark's plan may change. */
struct plan_usual {
	uint64_t max_loops;	/* of a pilot */
	double ci;		/* the default of --ci, percent; 0: the usual one */
	bool once;		/* a point has one visit, */
	bool once_unasked;	/* or has without --visits */
	const char *visited;	/* the definition with several visits; NULL: no other */
	/*
	 * What all points together may take, about, s: each gets its share of what is left, and the
	 * run ends soon after. 0: as long as they take.
	 */
	double time_s;
};

/* Of the run. */
struct time_limit {
	double seconds;		/* 0: none */
	double planned_s;	/* when the plan was made, clock_wall of this process */
	bool from_plan;		/* it counts from planned_s, not from the first repetition */
};


struct plan {
	const struct settings *settings;
	const struct benchmark *what;
	/* the benchmark's, unless its plan says others */
	const char *definition;
	const struct pattern *pattern;
	int ranks;			/* of the job */
	struct pairing pairing;		/* of specs with pairs and no list of ranks */
	struct numbers sizes;
	struct spec *specs;
	size_t n, room;
	struct plan_usual usual;
	struct stopping stopping;
	uint64_t warmup;		/* rounds */
	struct time_limit limit;
	struct plan_memory *memory;	/* what goes with the plan */
};

/*
 * Makes the plan of a benchmark from settings. Completes in these what was left open: sizes,
 * repetitions, time limit, names of backend and job, the record of the options. ST_OK or an exit
 * status (reported). plan_free is for either.
 */
int plan_make(struct plan *p, struct settings *st, const struct benchmark *what);

/* Reports what a command needs and a backend has not: the name of a capability. ST_UNAVAILABLE. */
int plan_lacks(const char *command, const char *missing, const char *backend);
void plan_free(struct plan *p);

/* Capabilities that the specs need for --verify every or every-timed; 0: none is verified so. */
unsigned plan_verify_needs(const struct plan *p);

/* Prints it for --dry-run. */
void plan_print(const struct plan *p, FILE *to);

/* ---- for a benchmark's `plan` ---- */

/*
 * Decides the number of ranks: that of the launcher, else the largest asked for, else `usual` as
 * far as the backend goes. Reports what is out of range. ST_OK or ST_USAGE.
 */
int plan_ranks(struct plan *p, uint64_t usual);

/* The most ranks that this backend and job take. */
int plan_most_ranks(const struct plan *p);

/* Cores of this machine to plan ranks for; 2 in virtual time. */
int plan_cores(const struct plan *p);

/* Adds a copy of a spec, or one for each size. ST_OK or ST_FAILED without memory (reported). */
int plan_add(struct plan *p, const struct spec *spec);
int plan_add_sizes(struct plan *p, const struct spec *spec);

/*
 * The same for all combinations of windows and batches, sizes innermost; a batch larger than its
 * window is left out.
 */
int plan_add_windows(struct plan *p, const struct spec *spec, const struct numbers *windows,
		     const struct numbers *batches);

/* Zeroed memory that lives as long as the plan; NULL without memory (reported). */
void *plan_alloc(struct plan *p, size_t n, size_t size);

/*
 * Calls release(what) when the plan is freed. ST_OK or ST_FAILED without memory (reported, and
 * released at once).
 */
int plan_keep(struct plan *p, void (*release)(void *), void *what);

/*
 * Loops of a spec in virtual time, where all iterations are alike. Unless more are asked for, it is
 * a few, and the fewer the more messages each has; those of a program are as many as it takes until
 * its pace is steady.
 */
uint64_t plan_virtual_loops(const struct plan *p, const struct spec *spec, uint64_t most);

/* ---- pure parts ---- */

/*
 * The sizes of a sweep: `explicit` in the order given if it has any, else 2^min .. 2^max.
 * Reports min > max and max > 63. The caller frees list->v. ST_OK or ST_USAGE, ST_FAILED without
 * memory.
 */
int plan_sizes(const struct numbers *explicit, uint64_t min_log2, uint64_t max_log2,
	       struct numbers *list);

/*
 * b_eff's loop length max(u / ceil(L/(2 w)), l), integer division; ceil(0) counts as 1
 * (DEFINITIONS 3). w: channel width in bytes.
 */
uint64_t plan_beff_loops(uint64_t u, uint64_t l, uint64_t w, uint64_t size);

/*
 * The u for which plan_beff_loops gives `loops` (or a little more, by the division) at this size.
 */
uint64_t plan_beff_upper(uint64_t loops, uint64_t w, uint64_t size);

/* Loops so that a round lasts at least target_s when one loop lasts loop_s: 1 .. max. */
uint64_t plan_loops(double target_s, double loop_s, uint64_t max);

#endif
