/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What rank 0 keeps of a run: the samples of the spec under way, the record, and where rows go.
 * Rank 0 alone.
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

/* Samples of single iterations are counted in picoseconds. */
#define SAMPLE_UNIT_S 1e-12

/* What is kept of a spec's repetitions beside their times. */
struct samples {
	struct hist *iterations;	/* in SAMPLE_UNIT_S */
	/* the same in their order, in SAMPLE_UNIT_S: the first, `most` of them */
	struct series events;
	size_t most;
	struct series medians;		/* of each stamped repetition's iterations, s */
	/*
	 * of single collective operations, s, as many as of events: when half of the ranks were
	 * out, the first was, and by what share of the whole that was earlier
	 */
	struct series middles, firsts, spreads;
	size_t nkept;			/* repetitions */
	struct rank_sums {
		double best_s;		/* of its repetitions */
		struct work work;
		double own_s, own_n;	/* its own times of single operations, and how many */
	} *ranks;
	struct series work_rates;	/* per repetition: units a second of all tasks */
	json_t *rank_times;		/* per repetition, per rank; NULL without --samples */
};

/*
 * For `size` ranks, one of `points` that are kept at once; `keep`: every repetition of each rank.
 * ST_OK or ST_FAILED (reported).
 */
int samples_open(struct samples *x, int size, size_t points, bool keep);
void samples_close(struct samples *x);

/* Empties it for a new spec, for a job of `size` ranks. */
void samples_begin(struct samples *x, int size);

/*
 * Adds the iterations between n + 1 time stamps of a repetition, in units of `scale` SAMPLE_UNIT_S.
 * The stamps are used up. 0, or -1 without memory.
 */
int samples_iterations(struct samples *x, double *stamps, uint64_t n, double scale);

/* The same with n times, s, in place of stamps. */
int samples_times(struct samples *x, double *times, uint64_t n);

/*
 * Sets the result's summary of single iterations, of all visits so far, and the intervals of their
 * quantiles. Iterations come in clusters: a quantile that too few of these bound is NaN; but not if
 * times are exact, in virtual time. `step`: of the clock, s.
 */
void samples_summarise(const struct samples *x, struct result *res, bool exact, double step);

/* How far models are from what was measured, with --predict. */
struct predictions {
	/* what this run measured, and predicts in place of the given network; NULL: that does */
	const struct rdma *rdma;
	struct series deviations;	/* relative */
	double worst;			/* of them, and at which size */
	uint64_t worst_size;
};

/* Specs of a run. */
struct spec_counts {
	size_t done, planned;		/* those left out are among those done */
	size_t begun;			/* or visits of them */
	size_t turns;			/* visits that were made, or left out */
	size_t cut_short;		/* that have rows, but were not measured to their end */
	size_t nleft_out;
	size_t nfew, nshortened;	/* that were slow: fewer repetitions, shorter windows */
	uint32_t shortest;		/* of these windows */
	char why_left_out[CANNOT_TEXT];	/* the first */
};

/* Rows that stay only until the next ones. */
struct drafts {
	bool writing;		/* a benchmark's `fill` keeps nothing of such a row */
	double next_s;		/* not again before, clock_wall */
};

struct sink {
	struct record record;
	struct drafts drafts;
	struct samples samples;
	struct predictions predictions;
	struct progress progress;
	struct spec_counts count;
	uint64_t errors;		/* messages with wrong content */
	bool write_failed;		/* of some sink */
	bool counts_strangers;		/* the endpoints do: so many in all */
	uint64_t strangers;
	double ranks_a_core;		/* on the machine where most share one; 1: none do */
	bool one_clock;			/* all ranks read the same clock, that of their machine */
	bool warned_timer;
	char title[400];
	char *footer;			/* lines for people under the table */
};

/*
 * Opens the files, makes the record of the run with the places of all ranks (one in virtual time),
 * writes what comes before the rows. `rdma`, which may be NULL, is kept, and shown in the end.
 * Aborts the job if it cannot.
 */
void sink_open(struct session *s, const struct place *places, const struct rdma *rdma);

/*
 * Closes the files and frees it. `err` is what the run has come to: if it is ST_OK and no signal
 * has ended the run, the files replace older results. Returns err, or ST_FAILED if something did
 * not get to disk.
 */
int sink_close(struct session *s, int err);

/* Records a warning and prints it. */
void sink_warn(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds to the lines under the table. */
void sink_footer(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets the cells that every benchmark has, as far as the record has them. */
void sink_row_common(const struct record *rec, const struct result *res, struct row *row);

/* Writes the row of a result: the common cells, the benchmark's own, and predictions. */
void sink_row(struct session *s, const struct result *res);

/*
 * Puts the row of a result into files, but not to its end: the next row takes its place. After
 * several of these: sink_end_drafts.
 */
void sink_draft(struct session *s, const struct result *res);
void sink_end_drafts(struct session *s);

/* Writes the row of a spec that cannot be measured. */
void sink_row_left_out(struct session *s, const struct spec *spec, const char *why);

/* Writes a row that the benchmark has made itself. */
void sink_write(struct session *s, const struct row *row);

void sink_show_progress(struct session *s, const struct progress_point *point);

/*
 * Writes the last warnings, what the benchmark concludes, the footer's last lines and the result of
 * predictions. Then the RDMA form's parameters, the status, and the end of the files. Returns the
 * exit status of the measurement; *verdict is the benchmark's.
 */
int sink_conclude(struct session *s, int *verdict);

#endif
