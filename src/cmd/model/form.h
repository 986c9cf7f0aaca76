/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A form is a variant of the command `model`. It has the options that select it, the options that
 * it accepts, its plan, and its rows or its picture.
 */
#ifndef NETBENCH_CMD_MODEL_FORM_H
#define NETBENCH_CMD_MODEL_FORM_H

#include "cli/command.h"
#include "cmd/model/options.h"
#include "measure/plan/plan.h"
#include "model/predict.h"
#include "model/stages.h"
#include "show/model/fitted.h"

/* Largest number of rows of a sweep. */
#define FORM_ROWS_MOST 100000

/* A run of the command: the parameters of the form's model, and the data of its rows. */
struct model_request {
	const struct settings *st;
	const struct model_values *o;
	const struct form *form;
	json_t *file;			/* document named by --like or --rdma; or NULL */
	struct board board;
	struct logp logp;
	bool cycles;			/* times of `logp` are in cycles, else in seconds */
	struct loggp loggp;		/* parameters of LogGP; for LogP with G = 0 */
	/* LogGP parameters by size, if the file of --like has segments; used by --against */
	struct loggp_pieces pieces;
	struct rdma rdma;
	struct numbers processors;
	uint64_t ranks;			/* number of ranks; 0: not given */
	double butterfly;		/* time of one butterfly, s or cycles; NaN: not known */
	size_t n;			/* number of elements of `rows`, or of stages */
	void *rows;			/* data of the form's rows; form_run frees them */
	struct plan plan;		/* message sizes; for `rdma` also windows and batches */
	struct tree tree;
	struct stage stages[STAGES_MOST];
	const char *const *places;	/* names of the places of the stages */
	unsigned nplaces;
	struct fitted fitted;
	json_t *result;			/* result of --against; rows point to its texts */
	size_t left_out;		/* observations that the model does not predict */
	json_t *parameters;		/* members of the record's environment */
	/* title and footer of the record; an empty footer is not printed */
	struct text title, footer;
	struct record rec;		/* the record; columns of times are in s */
	/* a copy of `rec` for output; columns of times are in cycles if `cycles` */
	struct record shown;
	struct outlets *outlets;
	int err; /* status of the rows so far: ST_OK or an error (reported) */
};

/* A form. Optional members are NULL. */
struct form {
	struct mode mode; /* must be the first member, because form_run finds the form by it */
	const char *definition;
	/* columns of the rows; columns of times are in s, even if times are shown in cycles */
	const enum column_id *cols;
	size_t ncols;
	const enum column_id *spare;	/* columns that a narrow table omits */
	size_t nspare;
	/* headings of the table, one per column; NULL: the column's usual heading */
	const char *const *heads;
	/*
	 * Both check the options, and set parameters, title, footer and summary. `plan` comes
	 * before plan.sizes is set, `then` after it. Return ST_OK or an error (reported).
	 */
	int (*plan)(struct model_request *a);
	int (*then)(struct model_request *a);
	bool sized;			/* the rows have message sizes */
	const uint64_t *sizes;		/* the usual sizes; NULL: from --min-size to --max-size */
	size_t nsizes;
	/*
	 * Returns the model's time for a row of the result of --against. The model is at offset
	 * `model` in struct model_request.
	 */
	double (*predict)(const struct observation *o, const void *model);
	size_t model;
	/* Writes all rows with form_row or form_write. */
	void (*put_rows)(struct model_request *a);
	/* Prints a picture to stdout instead of rows. */
	int (*draw)(const struct model_request *a);
	/* form to use if the file of --like has only RDMA parameters */
	const struct form *rdma;
};

/*
 * Sets the options of a form. The form is selected by its main option or an alternative, together
 * with an option needed in addition. The last argument lists all options that the form accepts.
 */
#define FORM_BY(main_option, other, needed, all_options)                                           \
	.mode = { .by = { main_option, other, NULL, needed, model_options, all_options },          \
		  .run = form_run }
#define FORM_SIZED " sizes max-size min-size"

/* Sets the usual sizes of a form. */
#define FORM_SIZES(...)                                                                            \
	.sized = true, .sizes = (const uint64_t[]){ __VA_ARGS__ },                                 \
	.nsizes = LENGTH(((const uint64_t[]){ __VA_ARGS__ }))

#define FORM_COLUMNS(...)                                                                          \
	.cols = (const enum column_id[]){ __VA_ARGS__ },                                           \
	.ncols = LENGTH(((const enum column_id[]){ __VA_ARGS__ }))
#define FORM_SPARE(...)                                                                            \
	.spare = (const enum column_id[]){ __VA_ARGS__ },                                          \
	.nspare = LENGTH(((const enum column_id[]){ __VA_ARGS__ }))
/*
 * Sets the headings of a form with n columns. The arguments after n are headings of some columns.
 */
#define FORM_HEADS(n, ...) .heads = (const char *const[n]){ __VA_ARGS__ }

/* Runs the form that the options select. Returns ST_OK or an error (reported). */
int form_run(const struct settings *st);

/*
 * Adds a->loggp to the title: `model`, "L=1 us o=200 ns g=300 ns", `more` and the number of ranks.
 * `known` has the parameters as JSON. Adds P to `known`, then puts it into the record's environment
 * as `key`. Takes over the reference `known`.
 */
void form_describe(struct model_request *a, const char *model, const char *more, const char *key,
		   json_t *known);

/* Writes a row. Sets a->err at the first error; after an error it does nothing. */
void form_write(struct model_request *a, const struct row *row);

/* Like form_write, with the values of all columns in their order. */
#define FORM_ROW(a, ...)                                                                           \
	form_row((a), (const struct value[]){ __VA_ARGS__ },                                       \
		 LENGTH(((const struct value[]){ __VA_ARGS__ })))
void form_row(struct model_request *a, const struct value *values, size_t n);

/* A cell without a value. form_count returns it for the number 0. */
#define FORM_NONE val_text(NULL)
struct value form_count(uint64_t n);

#endif
