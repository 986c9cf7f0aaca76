/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A benchmark: its name, its columns, and a hook that makes the specs from the command line. The
 * code of a benchmark runs on every rank and calls measure(). The struct is constant.
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
	 * Headings of the table, one for each column. If an entry or the array is NULL, the
	 * column's own heading is used.
	 */
	const char *const *heads;
	size_t n, ntable;		/* the table shows the first ntable columns; 0: all */
	bool words;			/* true: only the footer is printed, no table */
	/* digits of numbers in JSON (see struct record); 0: rows are complete */
	int brief;
	/* the columns that a table of 80 characters shows; NULL: all */
	const enum column_id *narrow;
	size_t nnarrow;
	/*
	 * the columns that a table of 80 characters shows for backends without time stamps; NULL:
	 * `narrow`
	 */
	const enum column_id *unstamped;
	size_t nunstamped;
	/* columns of a plain table (see struct record) */
	size_t nplain;
	/* label of the last line of the plain table; NULL: no such line */
	const char *score;
};

/* Default message sizes, where the command line gives none. */
struct usual_sizes {
	/* default sizes are 2^0 to 2^max_log2; max_log2 is also the default of --max-size */
	uint64_t max_log2;
	/*
	 * default sizes instead of the powers of two, unless --max-size or --min-size is given; may
	 * be NULL
	 */
	const uint64_t *list;
	size_t n;
};

/* Special properties of a benchmark. */
enum trait {
	SWEEPS_RANKS = 1,	/* --ranks may be a list */
	/* the run continues after the loss of a connection or rank, if the job can (job.h) */
	OUTLIVES_LOSS = 2,
	/* --visits counts visits to objects that the benchmark defines, not visits to points */
	OWN_VISITS = 4,
	/* the run also measures the parameters of the RDMA form, if the backend can */
	WANTS_RDMA = 8,
};

struct benchmark {
	/* "latency.half-rtt.v1": identifies what the numbers mean */
	const char *definition;
	/*
	 * pattern in the title; the backend must have the capabilities that it needs; NULL: several
	 * patterns
	 */
	const struct pattern *pattern;
	struct columns columns;
	struct usual_sizes sizes;
	int min_ranks;
	unsigned traits;		/* enum trait */
	const void *detail;		/* data that only the benchmark itself reads */

	/*
	 * Is called before any rank starts. Checks the command's options, chooses the number of
	 * ranks (plan_ranks), and adds the specs (plan_add). Returns ST_OK or an exit status.
	 */
	int (*plan)(struct plan *p);
	/* For --dry-run: prints facts that the list of specs does not show. May be NULL. */
	void (*foretell)(const struct plan *p, FILE *to);
	/*
	 * Rank 0: sets the cells that, together with the size, identify the spec of the row. May be
	 * NULL.
	 */
	void (*label)(const struct session *s, const struct spec *spec, struct row *row);
	/*
	 * Rank 0: computes the row's cells from the result. May also keep data for later, except
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
	 * All ranks: measures, for a benchmark that does more than sweep_plan. Returns when all is
	 * measured or the run is over (session_is_over). On rank 0, the hook also sets summary and
	 * footer. NULL: sweep_plan measures the plan.
	 */
	void (*run)(struct session *s);
	/*
	 * Rank 0: called once when all is measured and all warnings are known. Sets summary and
	 * footer. Returns ST_OK or an exit status (reported). May be NULL.
	 */
	int (*conclude)(struct session *s);
};

#endif
