/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds the results of a run: the samples of the current spec, the record, and the outlets for
 * rows. Rank 0 only.
 */
#ifndef NETBENCH_MEASURE_SINK_SINK_H
#define NETBENCH_MEASURE_SINK_SINK_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"
#include "measure/result.h"
#include "measure/session.h"
#include "measure/sink/histogram.h"
#include "measure/sink/progress.h"
#include "model/rdma.h"
#include "result/report.h"

struct place;

/* Unit for the times of single iterations: one picosecond, in s. */
#define SAMPLE_UNIT_S 1e-12

/* All samples of a spec, except the times of its repetitions (struct result). */
struct samples {
	struct hist *iterations;	/* times of all single iterations, in SAMPLE_UNIT_S */
	/* times of the first `most` single iterations, in order, in SAMPLE_UNIT_S */
	struct series events;
	size_t most;
	struct series medians;		/* median iteration of each stamped repetition, s */
	/*
	 * Single collective operations, at most `most`. middles: time until half of the ranks have
	 * ended, s. firsts: time until the first rank has ended, s. spreads: 1 - (time until the
	 * first rank has ended / time until the last rank has ended).
	 */
	struct series middles, firsts, spreads;
	/* for each block with computing, the share of an operation that was hidden (block.h) */
	struct series overlaps;
	size_t nkept;			/* number of repetitions that have become samples */
	struct rank_sums {
		/* best time of the first BEST_OF repetitions on this rank, s */
		double best_s;
		struct work work;
		/*
		 * own_s: sum of the times of this rank's single operations, s. own_n: number of
		 * these operations.
		 */
		double own_s, own_n;
	} *ranks;
	/* for each repetition, the work per second of all tasks together */
	struct series work_rates;
	/* for each repetition, an array of the times of all ranks; NULL without --samples */
	json_t *rank_times;
};

/*
 * Prepares samples for `size` ranks. `points` is the number of points whose samples are in memory
 * at the same time. If `keep`, every repetition of each rank is kept. Returns ST_OK or ST_FAILED
 * (reported).
 */
int samples_open(struct samples *x, int size, size_t points, bool keep);
void samples_close(struct samples *x);

/* Removes all samples, for a new spec in a job of `size` ranks. */
void samples_clear(struct samples *x, int size);

/*
 * Adds the n iterations of a repetition, given by n + 1 time stamps in units of `scale` *
 * SAMPLE_UNIT_S. Overwrites the stamps. Returns 0, or -1 if memory runs out.
 */
int samples_add_iterations(struct samples *x, double *stamps, uint64_t n, double scale);

/* Like samples_add_iterations, but `times` holds the n times of the iterations, s. */
int samples_add_times(struct samples *x, double *times, uint64_t n);

/*
 * Stores in the result a summary of the single iterations of all visits so far, with intervals of
 * their quantiles. Iterations come in clusters. If there are too few clusters for a quantile, the
 * quantile is NaN, unless times are `exact` (virtual time). `step` is the step of the clock, s.
 */
void samples_summarise(const struct samples *x, struct result *res, bool exact, double step);

/* Deviations of the models from the measurements, for --predict. */
struct predictions {
	/*
	 * parameters that this run has measured, used for predictions; NULL: predictions use the
	 * given network
	 */
	const struct rdma *rdma;
	struct series deviations;	/* relative deviation of each row */
	/* worst: the largest deviation. worst_size: the message size at which it occurs, bytes. */
	double worst;
	uint64_t worst_size;
};

/* Numbers of specs of the run. */
struct spec_counts {
	/* done: number of specs that are done or left out. planned: number of all planned specs. */
	size_t done, planned;
	/* number of specs that have begun; with several visits: of visits that have begun */
	size_t begun;
	size_t turns;			/* number of visits that were made or left out */
	/* number of specs that have rows but were not measured to their end */
	size_t cut_short;
	size_t nleft_out;
	/*
	 * nfew: slow specs that got fewer repetitions. nshortened: slow specs that got a shorter
	 * window.
	 */
	size_t nfew, nshortened;
	uint32_t shortest;		/* the shortest of these windows */
	char why_left_out[CANNOT_TEXT];	/* why the first spec was left out */
};

/* State of drafts: rows in files, which the next rows replace. */
struct drafts {
	bool writing;		/* a draft is being written, so `fill` must not keep its data */
	double next_s;		/* earliest time of the next draft, by clock_wall */
};

/* Messages that do not belong to the run. */
struct strangers {
	bool counted;			/* the endpoints count them */
	uint64_t n;
};

struct monitor;

struct sink {
	struct record record;
	struct drafts drafts;
	struct samples samples;
	struct predictions predictions;
	struct progress progress;
	struct spec_counts count;
	uint64_t errors;		/* messages with wrong content */
	bool write_failed;		/* some outlet could not be written */
	struct strangers strangers;
	/* state of a run over time; NULL: the plan is measured once */
	struct monitor *monitor;
	/* ranks per core on the most loaded machine; 1: no ranks share a core */
	double ranks_a_core;
	bool one_clock;			/* all ranks are on one machine and read the same clock */
	bool warned_timer;
	char title[400];
	char *footer;			/* lines under the table */
};

/*
 * Opens the files, makes the record, and writes everything that precedes the rows. `places` are the
 * places of all ranks, or one place in virtual time. `rdma` may be NULL. It must stay valid until
 * the run ends, because its parameters are shown then. Aborts the job on failure.
 */
void sink_open(struct session *s, const struct place *places, const struct rdma *rdma);

/*
 * Closes the files and frees the sink. `err` is the exit status of the run so far. If `err` is
 * ST_OK and no signal has ended the run, the files replace older results. Returns err, or ST_FAILED
 * if data could not be written to disk.
 */
int sink_close(struct session *s, int err);

/* Records a warning and prints it. */
void sink_warn(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds text to the lines under the table. */
void sink_add_footer(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the cells that are common to all benchmarks, for each such column that the record has. */
void sink_row_common(const struct record *rec, const struct result *res, struct row *row);

/* Writes the row of a result: the common cells, the cells of the benchmark, and predictions. */
void sink_write_result(struct session *s, const struct result *res);

/*
 * Writes the row of a result to the files as a draft, which the next row replaces. After one or
 * more drafts, call sink_end_drafts.
 */
void sink_write_draft(struct session *s, const struct result *res);
void sink_end_drafts(struct session *s);

/* Writes a row for a spec that cannot be measured. `why` is the reason. */
void sink_row_left_out(struct session *s, const struct spec *spec, const char *why);

/* Writes a row that the benchmark itself has made. */
void sink_write_row(struct session *s, const struct row *row);

void sink_show_progress(struct session *s, const struct progress_point *point);

/*
 * Writes the end of the results: last warnings, conclusion of the benchmark, footer, summary of
 * predictions, parameters of the RDMA form, status, and the end of the files. Returns the exit
 * status of the measurement. *verdict is the exit status of the benchmark's conclusion.
 */
int sink_conclude(struct session *s, int *verdict);

#endif
