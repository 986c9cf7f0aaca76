/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A benchmark: its name, its columns, and the specs that a command line asks for. Its code runs on
 * every rank and calls measure(). The struct is constant.
 */
#ifndef NETBENCH_MEASURE_PLAN_BENCHMARK_H
#define NETBENCH_MEASURE_PLAN_BENCHMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "result/report.h"

struct observation;
struct pattern;
struct plan;
struct result;
struct session;
struct spec;

/* Columns of a result. */
struct columns {
	const enum column_id *id;
	/*
	 * Headings of the table, one per column. A NULL entry, or NULL: the column's own heading.
	 */
	const char *const *heads;
	size_t n, ntable;		/* the table has the first ntable columns; 0: all */
	bool words;			/* no table is printed, only the footer */
	/* digits of numbers in JSON, see struct record; 0: rows are whole */
	int brief;
	/* the columns that a table of 80 characters shows; NULL: all */
	const enum column_id *narrow;
	size_t nnarrow;
	/* like narrow, where the backend takes no time stamps; NULL: narrow holds there too */
	const enum column_id *unstamped;
	size_t nunstamped;
	/* columns of a plain table (see struct record) */
	size_t nplain;
	/* name of the plain table's last line; NULL: none */
	const char *score;
};

/* Default message sizes, where the command line gives none. */
struct usual_sizes {
	/* sizes are 2^0 to 2^max_log2; also the default of --max-size */
	uint64_t max_log2;
	/* replaces the powers of two, unless the command line asks for them; may be NULL */
	const uint64_t *list;
	size_t n;
};

/* Special properties of a benchmark. */
enum trait {
	SWEEPS_RANKS = 1,	/* --ranks may be a list */
	/* continues after a lost connection or rank, where the job can (job.h) */
	OUTLIVES_LOSS = 2,
	/* --visits counts visits of the benchmark's own objects, not of points */
	OWN_VISITS = 4,
	WANTS_RDMA = 8,		/* also measures the RDMA form's parameters, if the backend can */
	COMMON_STARTS = 16,	/* all ranks start together, even if few of them are timed */
};

struct benchmark {
	/* "latency.half-rtt.v1": identifies what the numbers mean */
	const char *definition;
	/* named in the title; the backend must have its capabilities; NULL: several patterns */
	const struct pattern *pattern;
	struct columns columns;
	struct usual_sizes sizes;
	int min_ranks;
	unsigned traits;		/* enum trait */
	const void *detail;		/* the benchmark's own */

	/*
	 * Runs before any rank starts. Checks the command's options, chooses the number of ranks
	 * (plan_ranks), and adds the specs (plan_add). Returns ST_OK or an exit status.
	 */
	int (*plan)(struct plan *p);
	/*
	 * For --dry-run: prints lines about facts that the list of specs does not show; may be
	 * NULL.
	 */
	void (*foretell)(const struct plan *p, FILE *to);
	/* Rank 0: sets the cells that, with the size, identify the row's spec; may be NULL. */
	void (*label)(const struct session *s, const struct spec *spec, struct row *row);
	/*
	 * Rank 0: computes the row's cells from the result. It may keep data for later, except
	 * while the sink writes drafts. NULL: `run` makes the rows.
	 */
	void (*fill)(struct session *s, const struct result *res, struct row *row);
	/*
	 * Rank 0: fills *o with the spec's operation and its measured time, which a model can
	 * predict (--predict). Returns false if no model covers the spec. NULL: no model covers the
	 * benchmark.
	 */
	bool (*observe)(const struct session *s, const struct result *res, struct observation *o);
	/*
	 * All ranks: measures, where a benchmark does more than walk over the plan (sweep_plan).
	 * Returns when all is measured or the run is over (session_is_over). On rank 0 it sets
	 * summary and footer. NULL: the plain walk.
	 */
	void (*run)(struct session *s);
	/*
	 * Rank 0: called once when all is measured and all warnings are known. Sets summary and
	 * footer. Returns ST_OK or an exit status (reported). NULL: nothing to do.
	 */
	int (*conclude)(struct session *s);
};

#endif
