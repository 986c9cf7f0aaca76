/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep: for each point warm up, repeat until the plan says stop, verify, report. The same for
 * every benchmark; they differ in their pattern, their columns, and how these follow from the times.
 */
#ifndef NETBENCH_MEASURE_BENCH_H
#define NETBENCH_MEASURE_BENCH_H

#include "job/job.h"
#include "transport/backend.h"
#include "base/clock.h"
#include "cli/command.h"
#include "measure/farm.h"
#include "host/background.h"
#include "model/predict.h"
#include "measure/pattern.h"
#include "measure/plan.h"
#include "result/report.h"
#include "measure/sync.h"

enum check { CHECK_NONE, CHECK_LAST, CHECK_FULL };

/* Options of every command that measures. */
struct loggp;
struct measure_opts {
	const char *backend, *job, *pin;
	struct numbers ranks;
	uint64_t max_size, min_size;	/* log2 */
	struct numbers sizes;
	uint64_t repetitions, warmup;
	double ci;			/* percent */
	double point_time, time_limit;
	uint64_t check, seed, timer, sync;
	bool samples, dry_run, predict;
	const char *like;
	const struct loggp *network;	/* LogGP parameters of the network, if they are known; s */
	struct loggp_pieces pieces;	/* the same by size, for predictions; n is 0 if they are not known */
};
extern const struct opt measure_options[];
extern struct measure_opts measure_opts;

/* Loops of a round that have not been asked for are found by a pilot, to last this long. */
#define ROUND_TARGET_S 10e-3
#define FARM_TARGET_S 50e-3	/* of a farm, which takes a while until its pace is steady */

struct bench;
struct run;

/* What one point's measurement gave, on rank 0. */
struct result {
	const struct point *pt;
	uint64_t loops;
	struct series times;		/* s of each repetition: maximum over the ranks that are timed */
	struct summary time;
	struct summary iteration;	/* s of single iterations on rank 0; n = 0 without stamps */
	double rank_best_s;		/* maximum over ranks of each rank's own best repetition */
	enum stop stop;
	uint64_t checked, errors;	/* messages verified, and wrong, on all ranks */
	uint64_t late;			/* repetitions in which a rank started late */
	double unloaded_s;		/* of an iteration at the same point without load; NaN: not measured */
	/* Work that the computing tasks did a second, all of them: alone, and during the repetitions. */
	double work_alone, work_during;
	struct farm_tally roles[FARM_ROLES];	/* sums over the ranks of a role */
};

/* A benchmark. Constant; options are its command's. */
struct benchmark {
	const char *definition;		/* "latency.half-rtt.v1" */
	/* The definition if it depends on the options; NULL: as above. */
	const char *(*define)(void);
	const struct pattern *pattern;	/* of points that do not have their own */
	const void *detail;		/* the benchmark's own */
	const enum column_id *cols;
	const char *const *heads;	/* of the table, where they differ from the columns' own; may be NULL */
	size_t ncols, ntable;		/* of which the table has the first ntable; 0: all */
	bool stamps;			/* wants single iterations */
	uint64_t max_log2;		/* default of --max-size */
	const uint64_t *sizes;		/* if none are asked for; NULL: 2^0 to 2^max_log2 */
	size_t nsizes;
	bool sweeps_ranks;		/* --ranks may be a list */
	int min_ranks;
	uint64_t max_loops;		/* of a pilot */
	size_t state_size;		/* of bench.state, zeroed at the start */

	/*
	 * Called first: works out the benchmark's set-ups from its options and the numbers of ranks that were asked
	 * for, if any. May be NULL. ST_OK, ST_USAGE, or ST_FAILED without memory.
	 */
	int (*prepare)(const struct benchmark *what, const struct numbers *ranks);
	/* Ranks if none are asked for, with this many cores. */
	int (*default_ranks)(int cores);
	/*
	 * Checks the command's options with the final number of ranks, of which the backend takes `most`; may
	 * be NULL. ST_OK or ST_USAGE.
	 */
	int (*check)(int ranks, int most);
	/*
	 * Adds what the command's options and the point's set-up say to the pattern's arguments: of which size it is
	 * and which ranks have its places, pairs, tree. `draw` differs from repetition to repetition and is the same on
	 * all ranks; 0 stands for none, and then args->room may be NULL. May be NULL.
	 */
	void (*arguments)(struct pattern_args *args, const struct point *pt, uint64_t draw);
	/* True if the arguments change with every repetition; may be NULL. */
	bool (*redraws)(const struct point *pt);
	/* Why a point cannot be measured in this job, beside its ranks and capabilities; NULL: it can. May be NULL. */
	const char *(*lacks)(const struct bench *b, const struct point *pt);
	/* The points of a run, whose sizes and backend are known, as plan_points; NULL: window and batch 1. */
	struct point *(*points)(const struct run *run, size_t *n);
	/* The loops asked for, OPT_AUTO for a pilot. */
	uint64_t (*loops_asked)(void);
	/*
	 * Loops of a point from what was asked, and what a pilot at a point found: NULL for both: the
	 * number asked for holds for each point, a pilot for its own. If `asked_from` is there, one pilot
	 * serves the whole sweep.
	 */
	uint64_t (*loops)(const struct point *pt, uint64_t asked);
	uint64_t (*asked_from)(const struct point *pt, uint64_t loops);
	/*
	 * For a point whose round is done by message operations: for how long this rank's processor is occupied between the
	 * messages of a step (spaced.h); negative for other points. NULL: there are none such.
	 */
	double (*pause_s)(const struct bench *b, const struct point *pt);
	/* Sets the cells of a row that are the benchmark's own; rank 0. */
	void (*fill)(const struct bench *b, const struct result *res, struct row *row);
	/* In place of fill and a row: takes what a point gave; rank 0. May be NULL. */
	void (*collect)(struct bench *b, const struct result *res);
	/*
	 * Rank 0, after the points planned and then again after each one it asks for: true, and one more point to measure, like
	 * that of the plan with this index but of this size; false to end. May be NULL.
	 */
	bool (*more)(struct bench *b, size_t *like, uint64_t *size);
	double round_s;			/* a round whose loops are found by a pilot is to last; 0: ROUND_TARGET_S */
	uint64_t repetitions;		/* of a point, unless --repetitions is given; 0: until it is known well */
	/*
	 * Says in o what a point measured, with the time, for a model to say the same (--predict); rank 0. False if no
	 * model does. May be NULL: no point is one that a model knows.
	 */
	bool (*observe)(const struct bench *b, const struct result *res, struct observation *o);
	/* After the last point, rank 0: summary and footer. May be NULL. */
	void (*finish)(struct bench *b);
};

/* What is decided before any rank starts, and then the same for all. */
struct run {
	struct command_line *line;	/* of the user */
	const struct command *cmd;
	const struct backend *be;
	const struct job_kind *job;
	const char *why;		/* this kind of job */
	struct launch launch;
	int ranks;
	struct numbers sizes;
	struct point *points;
	size_t npoints;
	struct stopping stopping;
	uint64_t warmup;		/* rounds */
	double planned_s;		/* clock_wall, on this process */
	bool limit_from_plan;		/* the time limit counts from there, not from the first point */
	json_t *options;
};

/* One rank's sweep. What is marked so is used on rank 0 alone. */
struct bench {
	const struct run *run;
	const struct benchmark *what;
	struct job *job;
	struct endpoint *ep;
	struct shape {			/* of the current point, see shape.h */
		void **bufs;
		int nbufs;
		int *ranks;		/* room for a list of the job's ranks */
		struct farm *farm;	/* NULL: a round */
		double pause_s;		/* between the messages of a round done by message operations; negative: it is not */
	} shape;
	struct round round, single;	/* single: each transfer of round once, for verification */
	double *stamps;
	uint64_t room_stamps;
	uint64_t seq;			/* of rounds, the same on all ranks */
	struct load *load;		/* on this rank's processor; NULL: none */
	double work_done;		/* by it, during the last round */
	uint64_t round_start;		/* of the last round, clock_count */
	bool observed;			/* the round is one of those whose single iterations count */
	uint64_t asked;			/* loops asked for, or found by the sweep's pilot */
	double started_s;		/* clock_wall */
	struct sync sync;
	bool one_clock;			/* rank 0: all ranks read the same clock, that of their machine */
	struct counter counters[COUNTERS_MAX];	/* of the endpoint, before the first round */
	int ncounters;

	struct report *report;		/* rank 0, as all that follows */
	struct record record;
	struct hist *hist;
	double *rank_best;		/* per rank, s, of the current point */
	double *medians;		/* per point measured, s of an iteration; NaN: not measured */
	struct work {			/* per rank: of its computing task, at the current point */
		double units, seconds;
	} *work;
	double work_alone;		/* units a second of all computing tasks of the current series */
	json_t *rank_times;		/* per repetition, per rank, with --samples */
	size_t npoints_done, nleft_out;	/* those left out are among those done */
	char why_left_out[80];		/* the first */
	uint64_t errors;
	bool write_failed;		/* of some sink */
	enum column_id *cols;		/* with --predict: the record's */
	const char **heads;
	struct rdma *rdma;		/* with --predict, where the backend measures it: what predicts in place of LogGP */
	struct series deviations;	/* relative, of what was measured from what was predicted */
	double worst_deviation;		/* of them, without its sign, and at which size */
	uint64_t worst_size;
	void *state;			/* the benchmark's own, from point to point */
	char *footer;			/* lines for people, see bench_footer */
	bool warned_timer;
};

/*
 * Plans and measures a command: from parsed options to the exit status. Called on the process that
 * the user or a launcher started.
 */
struct selection;
int bench_command(struct command_line *line, const struct selection *s);

/* Records a warning and prints it; rank 0. */
void bench_warn(struct bench *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds to the lines under the table; rank 0. */
void bench_footer(struct bench *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Sets the cells that every benchmark has, as far as the record has the column: size, window, batch, loops,
 * repetitions, time and its statistics, stop, checked, errors.
 */
void bench_fill_common(const struct bench *b, const struct result *res, struct row *row);

/* Sets a cell if the record has the column. */
void bench_set(const struct bench *b, struct row *row, enum column_id id, struct value v);

#endif
