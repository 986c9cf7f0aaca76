/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A form of the command: what selects it, which options it takes, how its rows are planned and
 * filled, and what is drawn instead of them.
 */
#ifndef NETBENCH_CMD_MODEL_FORM_H
#define NETBENCH_CMD_MODEL_FORM_H

#include "cli/command.h"
#include "show/model/fitted.h"
#include "cmd/model/options.h"
#include "measure/plan/plan.h"
#include "model/predict.h"
#include "model/stages.h"

/* Rows of a sweep at most. */
#define FORM_ROWS_MOST 100000

/* What was asked for: parameters of the form's model, and what is made of them for the rows. */
struct asked {
	const struct settings *st;
	const struct model_values *o;
	const struct form *form;	/* plan may turn to one of form->other */
	struct board board;
	struct logp logp;
	bool cycles;			/* times of `logp` are in cycles, else in seconds */
	struct loggp loggp;
	struct loggp_pieces pieces;	/* by size, where --like has segments; for --against */
	struct rdma rdma;
	struct numbers processors;
	uint64_t ranks;			/* 0: not given */
	double butterfly;		/* s or cycles; NaN: not known */
	size_t n;			/* rows */
	void *rows;			/* for free() */
	struct plan plan;		/* its sizes; of `rdma` with windows and batches */
	struct tree tree;
	struct stage stages[STAGES_MOST];
	const char *const *places;	/* of the stages */
	unsigned nplaces;
	struct fitted fitted;
	json_t *result;			/* of --against: the rows have texts of it */
	size_t left_out;		/* what was observed and the model says nothing of */
	json_t *parameters;		/* members of the record's environment */
	char title[320], footer[1536];	/* the record's; of the footer "" is none */
	struct record rec;
};

/* A row of the table of forms. Where one member is NULL the form has no such thing. */
struct form {
	struct mode mode;
	const char *definition;
	const enum column_id *cols;	/* of times those in s, for either unit */
	size_t ncols;
	const enum column_id *spare;	/* columns that the table can do without */
	size_t nspare;
	const char *const *heads;	/* of the table, as many as columns; NULL: the column's */
	/*
	 * Checks what was asked for and sets parameters, title and number of rows, footer and
	 * summary. ST_OK or a fault (reported).
	 */
	int (*plan)(struct asked *a);
	int (*then)(struct asked *a);	/* the same, after it */
	/* What a result is compared with: the model's time, of this member of struct asked. */
	double (*predict)(const struct observation *o, const void *model);
	size_t model;
	/* Sets the cells of the i-th row, of `cols`. Samples that it leaves are dropped. */
	void (*fill)(const struct asked *a, size_t i, const struct record *rec, struct row *row);
	int (*draw)(const struct asked *a);	/* instead, on stdout, if a picture is asked for */
	const struct form *other[2];	/* to which plan turns for what this one has not */
};

/* Answers in this form. ST_OK or a fault (reported). */
int form_run(const struct form *form, const struct settings *st);

/* Sets the title: "netbench 0.2.0 model: " and this. */
void form_title(struct asked *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Sets plan.sizes: the message sizes that --sizes or --max-size and --min-size give, or if none was
 * given the n of `usual` if that is not NULL. ST_OK, ST_USAGE or ST_FAILED.
 */
int form_sizes(struct asked *a, const uint64_t *usual, size_t n);

/* A cell; none for a count of 0, and without a text. */
struct value form_count(uint64_t n);
struct value form_text(const char *text);

#endif
