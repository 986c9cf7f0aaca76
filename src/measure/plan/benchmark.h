/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A benchmark: ordinary code that runs on every rank and calls measure(). What it is called, how
 * its columns follow from what was measured, and which specs a command line asks for. Constant.
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
	/* headings of the table where they differ from the columns' own; may be NULL */
	const char *const *heads;
	size_t n, ntable;		/* the table has the first ntable; 0: all */
	bool words;			/* instead of a table there is only the footer */
	int brief;			/* see struct record */
	/* of the table's columns those that fit 80 characters; NULL: all do */
	const enum column_id *narrow;
	size_t nnarrow;
	/* the same where the backend takes no time stamps; NULL: no others */
	const enum column_id *unstamped;
	size_t nunstamped;
	/* of a plain table, see struct record */
	size_t nplain;
	const char *score;
};

/* Message sizes unless the command line says others. */
struct usual_sizes {
	uint64_t max_log2;		/* 2^0 to 2^max_log2, and the default of --max-size */
	/* instead, unless powers of two are asked for; may be NULL */
	const uint64_t *list;
	size_t n;
};

/* What is particular to a benchmark. */
enum trait {
	SWEEPS_RANKS = 1,	/* --ranks may be a list */
	OUTLIVES_LOSS = 2,	/* lost connections and ranks (job.h), where it can be */
	OWN_VISITS = 4,		/* --visits are its own, of whatever it visits */
	WANTS_RDMA = 8,		/* also measures the RDMA form's parameters, if the backend can */
	COMMON_STARTS = 16,	/* ranks start together, however few are timed */
};

struct benchmark {
	/* "latency.half-rtt.v1": identifies what the numbers mean */
	const char *definition;
	/* that the title names, and whose capabilities it needs; NULL: several */
	const struct pattern *pattern;
	struct columns columns;
	struct usual_sizes sizes;
	int min_ranks;
	unsigned traits;		/* enum trait */
	const void *detail;		/* the benchmark's own */

	/*
	 * Before any rank starts: checks the command's options, says how many ranks it takes
	 * (plan_ranks), and adds the specs (plan_add). ST_OK or an exit status.
	 */
	int (*plan)(struct plan *p);
	/* For --dry-run: prints lines on what the list of specs does not say; may be NULL. */
	void (*foretell)(const struct plan *p, FILE *to);
	/* Rank 0: sets the cells that, beside the size, say which spec a row is of; may be NULL. */
	void (*label)(const struct session *s, const struct spec *spec, struct row *row);
	/*
	 * Rank 0: sets the cells that follow from what was measured, and may keep some of it, but
	 * not while the sink writes drafts. NULL: `run` makes the rows.
	 */
	void (*fill)(struct session *s, const struct result *res, struct row *row);
	/*
	 * Rank 0: says what a spec measured, with the time, so that a model can say the same
	 * (--predict). False if no model does. NULL: none ever does.
	 */
	bool (*observe)(const struct session *s, const struct result *res, struct observation *o);
	/*
	 * All ranks: measures, where the plain walk over the plan (sweep_walk) is not all there is
	 * to do. Returns when all is done or the run is over (session_is_over), and on rank 0
	 * leaves summary and footer. NULL: the plain walk.
	 */
	void (*run)(struct session *s);
	/*
	 * Rank 0, once all is measured and all warnings are known: leaves summary and footer.
	 * Yields ST_OK or an exit status (reported). NULL: nothing more.
	 */
	int (*conclude)(struct session *s);
};

#endif
