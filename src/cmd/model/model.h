/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a network should reach, by formula: model.c has the options and finds the model that is asked for; each model
 * is a file of its own (model_board.c and so on).
 */
#ifndef NETBENCH_CMD_MODEL_MODEL_H
#define NETBENCH_CMD_MODEL_MODEL_H

#include "cli/command.h"
#include "model/predict.h"
#include "options/options.h"
#include "result/report.h"
#include "model/tree.h"

extern struct model_opts {
	const char *board, *fit, *logp, *loggp, *like, *rdma, *against, *reach;
	uint64_t cards, max_size, min_size, messages, arity, schedule, algorithm, fft, segment, destinations;
	double occupation;
	struct numbers sizes, patterns, windows, batches;
	bool serial, example, measure;
} model_opts;

/* Names of LogGP's patterns, for --help as well. */
extern const char *const model_patterns[];

/* The command that --measure stands for. */
extern const struct command cmd_model, cmd_model_measure;

/* The models: each computes and writes its report, and returns the exit status. */
int model_board(void);
int model_fit(void);
int model_logp(void);
int model_loggp(void);
int model_rdma(void);

/*
 * The message sizes that --sizes or --max-size and --min-size give, or if none was given the n of `usual` if that is
 * not NULL. The caller frees sizes->v. ST_OK, ST_USAGE or ST_FAILED.
 */
int model_sizes(struct numbers *sizes, const uint64_t *usual, size_t n);

/*
 * Which of n options, each of which asks for another report, was given: its place from 1 on, 0 if none; -1 if two
 * were, which is reported.
 */
int model_which(const char *const *given, size_t n);

/*
 * Writes a report where --format and --output say: what begins it, the rows that `rows` writes, what ends it. Sets
 * the record's command, options and status, takes over and frees environment, summary and warnings, of
 * which those that are NULL are made. ST_OK or a fault, which has been reported.
 */
int model_write(struct record *rec, int (*rows)(struct report *r, const struct record *rec, const void *arg),
		const void *arg);

/* ---- LogP ---- */

struct logp;

/* "netbench 0.1.0 model: LogP L=6 ..." and `of`; the record's environment with the parameters. */
void model_logp_title(char *title, size_t len, const struct logp *p, bool seconds, const char *of);
json_t *model_logp_environment(const struct logp *p, bool seconds);

/* The arity of a tree: --arity, or the best for it; 0 if its kind has none. */
uint32_t model_arity(const struct logp *p, enum tree_kind kind);

/* A duration as people write it: "14" cycles or "14.00 us". Returns buf. */
char *model_format_time(char *buf, size_t len, double t, bool seconds);

/* The broadcast of --algorithm and --arity, as --schedule says: a table, or a picture on standard output. */
int model_schedule(const struct logp *p, bool seconds);

/*
 * Refuses what --fft cannot be: points or processors that are no power of two, more processors than points. ST_OK or
 * ST_USAGE.
 */
int model_check_fft(uint64_t n, uint64_t P);

/* ---- against a result ---- */

/*
 * Reports each row of the result --against that `predict` can say something of (s; NaN if it cannot) beside the
 * model, and how far apart they are. `rec` has definition, title and environment, which it takes over.
 */
int model_against(struct record *rec, double (*predict)(const struct observation *o, const void *model),
		  const void *model);

#endif
