/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The results of a run: the samples of the current spec, the record, and the outlets for rows. Rank
 * 0 only.
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

/* Unit in which times of single iterations are counted: one picosecond, in s. */
#define SAMPLE_UNIT_S 1e-12

/* Samples of a spec's repetitions, except their times. */
struct samples {
	struct hist *iterations;	/* in SAMPLE_UNIT_S */
	/* the first `most` iterations in their order, in SAMPLE_UNIT_S */
	struct series events;
	size_t most;
	struct series medians;		/* median iteration of each stamped repetition, s */
	/*
	 * Single collective operations, as many as events. middles: time until half of the ranks
	 * had ended, s. firsts: time until the first rank had ended, s. spreads: 1 - that time
	 * divided by the time of the last rank.
	 */
	struct series middles, firsts, spreads;
	size_t nkept;			/* number of repetitions that count */
	struct rank_sums {
		double best_s;		/* best time of its repetitions */
		struct work work;
		double own_s, own_n;	/* sum and number of its times of single operations */
	} *ranks;
	struct series work_rates;	/* per repetition: work per second of all tasks */
	json_t *rank_times;		/* per repetition, per rank; NULL without --samples */
};

/*
 * Prepares for `size` ranks. `points` is how many points keep samples at the same time. `keep`:
 * every repetition of each rank is kept. Returns ST_OK or ST_FAILED (reported).
 */
int samples_open(struct samples *x, int size, size_t points, bool keep);
void samples_close(struct samples *x);

/* Removes all samples, for a new spec in a job of `size` ranks. */
void samples_clear(struct samples *x, int size);

/*
 * Adds a repetition's n iterations, given n + 1 time stamps in units of `scale` * SAMPLE_UNIT_S.
 * Overwrites the stamps. Returns 0, or -1 without memory.
 */
int samples_add_iterations(struct samples *x, double *stamps, uint64_t n, double scale);

/* Like samples_add_iterations, but with n times, s, instead of stamps. */
int samples_add_times(struct samples *x, double *times, uint64_t n);

/*
 * Summarises the single iterations of all visits so far in the result, with intervals of their
 * quantiles. Iterations come in clusters. A quantile that too few clusters bound is NaN, unless
 * times are `exact` (virtual time). `step`: step of the clock, s.
 */
void samples_summarise(const struct samples *x, struct result *res, bool exact, double step);

/* Deviations between models and measurements, with --predict. */
struct predictions {
	/*
	 * parameters measured in this run, used instead of the given network; NULL: use that
	 * network
	 */
	const struct rdma *rdma;
	struct series deviations;	/* relative deviations */
	double worst;			/* the largest deviation, and its size */
	uint64_t worst_size;
};

/* Counts of a run's specs. */
struct spec_counts {
	/* specs that are done, including those left out, and that are planned */
	size_t done, planned;
	size_t begun;			/* specs begun, or visits begun */
	size_t turns;			/* visits that are over, whether made or left out */
	size_t cut_short;		/* specs with rows that were not measured to their end */
	size_t nleft_out;
	/* slow specs: with fewer repetitions, with shorter windows */
	size_t nfew, nshortened;
	uint32_t shortest;		/* the shortest of those windows */
	char why_left_out[CANNOT_TEXT];	/* reason for the first spec left out */
};

/* Rows in files that the next rows replace. */
struct drafts {
	bool writing;		/* a draft is being written: `fill` must not keep data of it */
	double next_s;		/* time of the next draft at the earliest, clock_wall */
};

struct sink {
	struct record record;
	struct drafts drafts;
	struct samples samples;
	struct predictions predictions;
	struct progress progress;
	struct spec_counts count;
	uint64_t errors;		/* messages with wrong content */
	bool write_failed;		/* some outlet could not be written */
	/* the endpoints count messages that do not belong to the run */
	bool counts_strangers;
	uint64_t strangers;		/* the number of these messages */
	/* ranks per core on the machine with the most; 1: no ranks share a core */
	double ranks_a_core;
	bool one_clock;			/* all ranks are on one machine and read the same clock */
	bool warned_timer;
	char title[400];
	char *footer;			/* lines under the table */
};

/*
 * Opens the files, makes the record with the places of all ranks (one place in virtual time), and
 * writes everything that precedes the rows. `rdma` may be NULL; it is kept, and shown at the end.
 * Aborts the job on failure.
 */
void sink_open(struct session *s, const struct place *places, const struct rdma *rdma);

/*
 * Closes the files and frees the sink. `err` is the run's status so far. If it is ST_OK and no
 * signal has ended the run, the files replace older results. Returns err, or ST_FAILED if data
 * could not be written to disk.
 */
int sink_close(struct session *s, int err);

/* Records a warning and prints it. */
void sink_warn(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds to the lines under the table. */
void sink_add_footer(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the cells that are common to all benchmarks, if the record has their columns. */
void sink_row_common(const struct record *rec, const struct result *res, struct row *row);

/* Writes the row of a result: the common cells, the benchmark's own, and predictions. */
void sink_write_result(struct session *s, const struct result *res);

/*
 * Writes a draft of a result's row to the files; the next row replaces it. Call sink_end_drafts
 * after one or several drafts.
 */
void sink_write_draft(struct session *s, const struct result *res);
void sink_end_drafts(struct session *s);

/* Writes the row of a spec that cannot be measured. */
void sink_row_left_out(struct session *s, const struct spec *spec, const char *why);

/* Writes a row that the benchmark has made itself. */
void sink_write_row(struct session *s, const struct row *row);

void sink_show_progress(struct session *s, const struct progress_point *point);

/*
 * Writes the end of the results: last warnings, the benchmark's conclusion, the footer, and the
 * summary of predictions. Then the RDMA form's parameters, the status, and the end of the files.
 * Returns the exit status of the measurement; *verdict is the benchmark's.
 */
int sink_conclude(struct session *s, int *verdict);

#endif
