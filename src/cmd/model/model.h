/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a network should reach, by formula: model.c has the options, a file of its own has each
 * model and the modes of the command in which it is asked for.
 */
#ifndef NETBENCH_CMD_MODEL_MODEL_H
#define NETBENCH_CMD_MODEL_MODEL_H

#include "cli/command.h"
#include "model/predict.h"
#include "model/stages.h"
#include "options/options.h"
#include "result/report.h"
#include "model/tree.h"

/* Values of the options of every model. */
struct model_options {
	const char *board, *fit, *logp, *loggp, *like, *rdma, *against, *reach, *butterfly;
	uint64_t cards, max_size, min_size, messages, schedule, algorithm, fft, picture, segment;
	uint64_t destinations, credits;
	double occupation;
	struct numbers sizes, patterns, windows, batches, acks, arities;
	bool serial, read, example, measure;
};

/* Names of LogGP's patterns, and of what acknowledges a window's messages, for --help as well. */
extern const char *const model_patterns[], *const model_acks[];

/* Bits of the modes in the options' column: each model, and what it can be asked for instead. */
enum {
	MODEL_FIT = 1 << 0, MODEL_BOARD = 1 << 1, MODEL_BOARD_AGAINST = 1 << 2, MODEL_LOGP = 1 << 3,
	MODEL_LOGP_SCHEDULE = 1 << 4, MODEL_LOGP_REACH = 1 << 5, MODEL_LOGP_FFT = 1 << 6,
	MODEL_LOGP_AGAINST = 1 << 7, MODEL_LOGGP = 1 << 8, MODEL_LOGGP_FFT = 1 << 9,
	MODEL_LOGGP_AGAINST = 1 << 10, MODEL_RDMA = 1 << 11, MODEL_RDMA_AGAINST = 1 << 12,
	MODEL_MEASURE = 1 << 13, MODEL_LOGGP_WINDOW = 1 << 14, MODEL_RDMA_SCHEDULE = 1 << 15,
};

extern const struct mode model_measure, model_fit, model_board, model_board_against, model_logp,
	model_logp_schedule, model_logp_reach, model_logp_fft, model_logp_against, model_loggp,
	model_loggp_fft, model_loggp_against, model_loggp_window, model_rdma, model_rdma_schedule,
	model_rdma_against;

/*
 * The message sizes that --sizes or --max-size and --min-size give, or if none was given the n of
 * `usual` if that is not NULL. The caller frees sizes->v. ST_OK, ST_USAGE or ST_FAILED.
 */
int model_sizes(const struct settings *st, struct numbers *sizes, const uint64_t *usual, size_t n);

/* A computed record with these columns. */
#define MODEL_RECORD(what, its_title, its_cols) \
	{ .computed = true, .definition = (what), .title = (its_title), .cols = (its_cols), \
	  .ncols = sizeof(its_cols) / sizeof((its_cols)[0]) }

/* Prints the words above a picture in text, in lines of 79 columns at most. */
void model_put_title(const char *title);

/* What its table can do without, an array of columns. */
#define MODEL_SPARE(rec, ids) \
	((rec)->spare = (ids), (rec)->nspare = sizeof(ids) / sizeof((ids)[0]))

/*
 * Writes a report of n rows where --format and --output say; `fill` sets the cells of the i-th, and
 * may leave row->samples, which is dropped. Sets the record's command, options and status, takes
 * over and frees environment, summary and warnings, of which those that are NULL are made. ST_OK or
 * a fault (reported).
 */
int model_write(const struct settings *st, struct record *rec, size_t n,
		void (*fill)(const void *arg, size_t i, const struct record *rec, struct row *row),
		const void *arg);

/* Refuses --format and --output beside a picture. ST_OK or ST_USAGE. */
int model_check_picture(const struct settings *st);

/* ---- LogP ---- */

struct logp;

/* Rows of a sweep at most. */
#define MODEL_ROWS_MOST 100000

/*
 * The parameters of --logp, as logp_parse gives them; with `sweep` it has to say how many
 * processors there are, in one number or several. The caller frees processors->v.
 */
int model_parse_logp(const struct settings *st, struct logp *p, struct numbers *processors,
		     bool *seconds, bool sweep);

/*
 * A time that an option has, in the unit of the parameters: cycles, or with `seconds` a time with
 * a unit. Reported: any other, and one that is negative. ST_OK or ST_USAGE.
 */
int model_parse_time(const char *option, const char *text, bool seconds, double *t);

/* "netbench 0.2.0 model: LogP L=6 ..." and `of`; the record's environment with the parameters. */
void model_logp_title(char *title, size_t len, const struct logp *p, bool seconds, const char *of);
json_t *model_logp_environment(const struct logp *p, bool seconds);

/* The column of a time in seconds, or the one of the same in cycles. */
enum column_id model_timed(enum column_id column, bool seconds);

/* The arity of a tree: the i-th of --arity, or the best for it; 0 if its kind has none. */
uint32_t model_arity(const struct settings *st, const struct logp *p, enum tree_kind kind,
		     size_t i);

/* A duration as people write it: "14" cycles or "14.00 us". Returns buf. */
char *model_format_time(char *buf, size_t len, double t, bool seconds);

/* What --schedule prints. */
enum model_form {
	MODEL_FORM_NONE, MODEL_FORM_TABLE, MODEL_FORM_TREE, MODEL_FORM_SVG, MODEL_FORM_DOT,
};

/* The broadcast of --algorithm and --arity, as --schedule says: table, or picture on stdout. */
int model_schedule(const struct settings *st, const struct logp *p, bool seconds);

/* One message, whose stages --schedule shows. */
struct model_message {
	const char *definition, *title, *footer;
	const char *const *places;	/* names */
	unsigned nplaces;
	const struct stage *stages;
	size_t n;
	bool seconds;			/* else cycles */
};

/* Writes it as a table with this environment, which it takes over, or as a picture on stdout. */
int model_put_message(const struct settings *st, const struct model_message *m,
		      json_t *environment);

/* ---- FFT ---- */

/*
 * Refuses what --fft cannot be: points or processors that are no power of two, more processors
 * than points. ST_OK or ST_USAGE.
 */
int model_check_fft(uint64_t n, uint64_t P);

/*
 * The time of --butterfly, by default 1 cycle; NaN if it was not given and times are in seconds.
 * ST_OK or ST_USAGE.
 */
int model_parse_butterfly(const struct settings *st, bool seconds, double *t);

/* Why a layout has no time; and its picture on stdout as --picture says, with `title` above it. */
extern const char model_fft_no_hybrid[];
int model_fft_picture(const struct settings *st, uint64_t P, const char *title);

/* ---- LogGP ---- */

struct loggp;

/*
 * The parameters that --like and --loggp give, and "netbench 0.2.0 model: LogGP L=1 us ..."; the
 * record's environment with them. NULL is that if the file of --like has parameters of the RDMA
 * form alone, and all has been reported. ST_OK or a fault (reported).
 */
int model_loggp_given(const struct settings *st, struct loggp *p, char *title, size_t len,
		      json_t **environment);

/* ---- RDMA ---- */

/* What --like asks for where the document that it names has parameters of the RDMA form alone. */
int model_rdma_like(const struct settings *st, const json_t *doc);

/* ---- against a result ---- */

/*
 * Reports each row of the result --against that `predict` can say something of (s; NaN if it
 * cannot) beside the model, and how far apart they are. `rec` has definition, title,
 * environment, which it takes over, and lines that come last in the footer, or NULL.
 */
int model_against(const struct settings *st, struct record *rec,
		  double (*predict)(const struct observation *o, const void *model),
		  const void *model);

#endif
