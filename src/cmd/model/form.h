/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A form of the command: the options that select it, the options that it takes, its plan, and its
 * rows or its picture.
 */
#ifndef NETBENCH_CMD_MODEL_FORM_H
#define NETBENCH_CMD_MODEL_FORM_H

#include "cli/command.h"
#include "cmd/model/options.h"
#include "measure/plan/plan.h"
#include "model/predict.h"
#include "model/stages.h"
#include "show/model/fitted.h"

/* Rows of a sweep at most. */
#define FORM_ROWS_MOST 100000

/* The parameters of the form's model, and the data for its rows. */
struct asked {
	const struct settings *st;
	const struct model_values *o;
	const struct form *form;
	json_t *file;			/* the document that --like or --rdma names; or NULL */
	struct board board;
	struct logp logp;
	bool cycles;			/* times of `logp` are in cycles, else in seconds */
	struct loggp loggp;		/* of LogP too, with G = 0 */
	struct loggp_pieces pieces;	/* by size if --like has segments; for --against */
	struct rdma rdma;
	struct numbers processors;
	uint64_t ranks;			/* 0: not given */
	double butterfly;		/* s or cycles; NaN: not known */
	size_t n;			/* members of `rows`, or stages */
	void *rows;			/* data that the form keeps, for free() */
	struct plan plan;		/* its sizes; of `rdma` with windows and batches */
	struct tree tree;
	struct stage stages[STAGES_MOST];
	const char *const *places;	/* of the stages */
	unsigned nplaces;
	struct fitted fitted;
	json_t *result;			/* of --against: the rows have texts of it */
	size_t left_out;		/* observations that the model does not predict */
	json_t *parameters;		/* members of the record's environment */
	struct text title, footer;	/* the record's; an empty footer is none */
	struct record rec;		/* its columns of times are those in s */
	struct record shown;		/* the same with columns for a->cycles */
	struct outlets *outlets;
	int err;			/* of the rows so far: ST_OK or a fault (reported) */
};

/* Where a member is NULL the form has no such thing. */
struct form {
	struct mode mode;		/* the first member: form_run finds the form by it */
	const char *definition;
	const enum column_id *cols;	/* of times those in s, for either unit */
	size_t ncols;
	const enum column_id *spare;	/* columns that the table can do without */
	size_t nspare;
	const char *const *heads;	/* of the table, as many as columns; NULL: the column's */
	/*
	 * Checks the options and sets parameters, title, footer and summary. ST_OK or a fault
	 * (reported).
	 */
	int (*plan)(struct asked *a);
	int (*then)(struct asked *a);	/* the same, called next */
	/* The model's time for a row of the result --against; the model is at `model` in `a`. */
	double (*predict)(const struct observation *o, const void *model);
	size_t model;
	void (*put_rows)(struct asked *a);	/* by form_row or form_write */
	int (*draw)(const struct asked *a);	/* in place of rows, for a picture on stdout */
	const struct form *rdma;	/* if the file of --like has only RDMA parameters */
};

/*
 * The options that select a form: its first one, another one in place of it, and one needed beside
 * it; then all options that it takes.
 */
#define FORM_BY(its_option, its_other, its_with, its_options)                                      \
	.mode = { .by = { its_option, its_other, NULL, its_with, model_options, its_options },     \
		  .run = form_run }
#define FORM_SIZED " sizes max-size min-size"

#define FORM_COLUMNS(...)                                                                          \
	.cols = (const enum column_id[]){ __VA_ARGS__ },                                           \
	.ncols = LENGTH(((const enum column_id[]){ __VA_ARGS__ }))
#define FORM_SPARE(...)                                                                            \
	.spare = (const enum column_id[]){ __VA_ARGS__ },                                          \
	.nspare = LENGTH(((const enum column_id[]){ __VA_ARGS__ }))
/* The number of columns, and the headings of some of them. */
#define FORM_HEADS(n, ...) .heads = (const char *const[n]){ __VA_ARGS__ }

/* Runs the command in the form whose mode the options select. ST_OK or a fault (reported). */
int form_run(const struct settings *st);

/*
 * Adds a->loggp to the title: `model`, "L=1 us o=200 ns g=300 ns", `more` and the number of ranks.
 * Takes `known`, the same for the record's environment under the name `key`, and adds P to it.
 */
void form_describe(struct asked *a, const char *model, const char *more, const char *key,
		   json_t *known);

/*
 * Sets plan.sizes: the message sizes that --sizes or --max-size and --min-size give. Without these
 * options it takes the n of `usual`, if any. ST_OK, ST_USAGE or ST_FAILED.
 */
int form_sizes(struct asked *a, const uint64_t *usual, size_t n);

/* Writes a row. After a fault it does nothing; a->err keeps the first fault. */
void form_write(struct asked *a, const struct row *row);

/* The same for the values of all columns, in their order. */
#define FORM_ROW(a, ...)                                                                           \
	form_row((a), (const struct value[]){ __VA_ARGS__ },                                       \
		 LENGTH(((const struct value[]){ __VA_ARGS__ })))
void form_row(struct asked *a, const struct value *values, size_t n);

/* A cell without a value; form_count returns it for 0. */
#define FORM_NONE val_text(NULL)
struct value form_count(uint64_t n);

#endif
