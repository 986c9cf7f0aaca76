/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The user's settings. They are made once from the command line before any rank starts, and
 * completed by plan_make; from then on they are read-only. All ranks of a job have the same, except
 * for options that may differ, as --pin.
 */
#ifndef NETBENCH_MEASURE_PLAN_SETTINGS_H
#define NETBENCH_MEASURE_PLAN_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "job/job.h"
#include "model/channel.h"
#include "model/loggp.h"
#include "options/options.h"
#include "result/report.h"
#include "transport/backend.h"

enum verify { VERIFY_NONE, VERIFY_LAST, VERIFY_FULL, VERIFY_EVERY, VERIFY_EVERY_TIMED };
extern const char *const verify_names[];

/* Values of the options of every command that measures. */
struct measuring {
	const char *backend, *job, *mpi, *mpi_library, *pin;
	struct numbers ranks;
	uint64_t max_size, min_size;	/* log2 */
	struct numbers sizes;
	uint64_t repetitions, warmup, visits;
	double ci;			/* percent */
	double point_time, time_limit, stall;
	uint64_t verify, seed, timer, sync;
	bool samples, dry_run, predict;
	const char *like;
};
extern const struct opt measuring_options[];

/* Option --loops of a benchmark, whose uint64_t is at an offset in its own values; or OPT_AUTO. */
#define LOOPS_OPTION(at, words)                                                                    \
	{ 'l', "loops", "count", OPT_UINT, at, .def = "auto", .min = 1, .max = 1 << 24, \
	  .word = "auto", .aka = "iterations iters", .help = words }

/*
 * The network as far as --like or the simulated network says: LogGP's parameters, s, or a board. Of
 * one by the RDMA form the endpoint has the parameters.
 */
struct network {
	bool known;			/* LogGP's */
	struct loggp p;
	/* the same by size, for predictions; n is 0 if they are not known */
	struct loggp_pieces pieces;
	bool is_board, is_rdma;
	struct board board;
};

struct settings {
	const char *command;
	struct measuring m;
	struct output_options output;
	const void *own;		/* values of the command's own options */
	const struct opt_mode *mode;	/* of the command; NULL: none is selected */
	const struct backend *be;
	/* completed by the backend's network and check; read-only afterwards */
	void *backend_options;
	const struct job_kind *job;
	const void *job_options;
	const char *why_job;		/* this kind of job */
	const char *why_mpi;		/* this MPI; NULL: it is the first there is */
	struct launch launch;
	struct network network;
	json_t *options;		/* every option's value, for the record */
	const struct arguments *given;	/* which options stood on the command line */
};

/* True if the option stood on the command line. */
static inline bool settings_given(const struct settings *st, const char *option)
{
	return arguments_given(st->given, option);
}

/* Reports two options that were both given but exclude each other. ST_OK or ST_USAGE. */
static inline int settings_exclude(const struct settings *st, const char *a, const char *b)
{
	return arguments_exclude(st->given, a, b);
}

/* What endpoints of the backend can have: only simulated networks by the RDMA form have all. */
static inline unsigned settings_caps(const struct settings *st)
{
	bool lacks = st->be->network && !st->network.is_rdma;

	return lacks ? st->be->caps & ~(unsigned)(CAP_ACKED | CAP_READ) : st->be->caps;
}

/* True if time is virtual: every repetition is like the other. */
static inline bool settings_virtual(const struct settings *st)
{
	return st->be->caps & CAP_VIRTUAL;
}

/* Reads --like, and asks the backend for the network that it simulates. ST_OK or ST_USAGE. */
int settings_network(struct settings *st);

#endif
