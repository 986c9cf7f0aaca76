/* SPDX-License-Identifier: Apache-2.0 */
/* What was found, for people and for results. */
#ifndef NETBENCH_CMD_MAP_OUTPUT_WORDS_H
#define NETBENCH_CMD_MAP_OUTPUT_WORDS_H

#include "cmd/map/study/study.h"
#include "measure/plan/settings.h"
#include "result/report.h"

/* One quantity of one class of hosts, judged. */
struct found {
	enum quantity quantity;
	uint32_t class;
	struct judgement j;	/* by the study's numbers of hosts */
};

/* A quantity over all pairs of a study: NaN if it was not measured. */
struct overview {
	double median, low, high;	/* half of the pairs are from low to high */
	double slowest;
	uint32_t from, to;		/* the slowest pair */
	size_t pairs, missing;		/* with a value; without one */
};
struct verdicts {
	const struct study *s;
	const struct rules *rules;
	/* of each quantity, in place of the rules' own; NULL: nothing is measured again */
	const struct retest *again;
	const char *from;	/* the file; NULL: measured now */
	struct found *at;	/* bandwidth first */
	size_t n;
	struct overview over[NQUANTITIES];
	json_t *differences;	/* between hosts; NULL: none were looked for */
};

/* Relative: 0.3 for an effect of -ln 0.7. */
double words_relative(double effect);

/* "certain", "probable" or "ambiguous". */
const char *words_confidence(const struct verdict_of *v);

/* The verdict as a sentence, for free(); NULL without memory. */
char *words_verdict(const struct study *s, const struct verdict_of *v);

/* Why there is no verdict on this; never empty. */
const char *words_why(enum no_verdict why);

/* The same with the hosts that are faster, if that is why: for free(); NULL without memory. */
char *words_no_verdict(const struct study *s, const struct judgement *j);

/* All of it, for the table: for free(); NULL without memory. */
char *words_all(const struct verdicts *all, const char *title, enum rate_unit rates);

/* Verdicts in the order in which they are told: not answering, groups, hosts, unsteady, pairs. */
void words_sort(struct judgement *j);

/* Of no pairs if the quantity was not measured. */
struct overview words_overview(const struct study *s, enum quantity q);

/* The hosts of a judgement by how slow they are, the worst first; `to` has room for all. */
size_t words_worst(const struct study *s, const struct judgement *j, uint32_t *to);

/* How slow a host is: relative, or for latency s more than most. */
double words_slower(const struct verdicts *all, const struct found *f, uint32_t host);

/* ---- write.c ---- */

#define MAP_NCOLUMNS 18
#define MAP_DIGITS 7		/* of values: y is no more precise */
extern const enum column_id map_columns[MAP_NCOLUMNS];

/* Where rows go that have the columns of a record. */
struct pair_rows {
	const struct record *rec;
	int (*put)(void *arg, const struct row *row);
	void *arg;
};

/*
 * The row of an ordered pair, of the visits so far, unless nothing that is written has rows. What
 * `put` yields.
 */
int map_row(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	    uint32_t i, uint32_t j);

/* Those of all pairs but those that are `written`, [sender][receiver]; NULL: none is. */
int map_rows(const struct study *s, const struct output_options *o, const struct pair_rows *to,
	     const bool *written);

/* The verdicts, and what they rest on. */
void map_summary(json_t *summary, const struct verdicts *all);

/* Writes everything as --format and --output say. ST_OK, or an exit status. */
int map_write(const struct settings *st, const struct verdicts *all);

#endif
