/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of the user. They come from the command line before any rank starts. plan_make
 * completes the settings; afterwards they are read-only. All ranks of a job have the same settings,
 * except for options that may differ between ranks, such as --pin.
 */
#ifndef NETBENCH_MEASURE_PLAN_SETTINGS_H
#define NETBENCH_MEASURE_PLAN_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "job/job.h"
#include "measure/monitor/options.h"
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

/*
 * Entry of --loops in a benchmark's option table. `at` is the offset of the option's value in the
 * benchmark's own values. The value is a uint64_t or OPT_AUTO.
 */
#define LOOPS_OPTION(at, words)                                                                    \
	{ 'l', "loops", "count", OPT_UINT, at, .def = "auto", .min = 1, .max = 1 << 24, \
	  .word = "auto", .aka = "iterations iters", .help = words }

/*
 * The network that --like describes or that the backend simulates: parameters of LogGP, s, or a
 * board. The endpoint, not this struct, holds the parameters of the RDMA form.
 */
struct network {
	bool known;			/* the parameters of LogGP are known, in p */
	struct loggp p;
	/*
	 * parameters for each range of message sizes, for predictions; pieces.n is 0 if they are
	 * not known
	 */
	struct loggp_pieces pieces;
	bool is_board, is_rdma;
	struct board board;
};

struct settings {
	const char *command;
	struct measuring m;
	struct monitoring monitoring;
	/* what the command does with the rows of a run over time; NULL: it has no --duration */
	const struct monitor_hooks *monitor;
	struct output_options output;
	const void *own;		/* values of the command's own options */
	const struct opt_mode *mode;	/* the selected mode of the command; NULL: none */
	const struct backend *be;
	/* completed by the backend's `network` and `check` hooks; read-only afterwards */
	void *backend_options;
	const struct job_kind *job;
	const void *job_options;
	const char *why_job;		/* why this kind of job was chosen */
	/* why this MPI was chosen; NULL: it was the first one available */
	const char *why_mpi;
	struct launch launch;
	struct network network;
	json_t *options;		/* values of all options, for the record */
	const struct arguments *given;	/* the options that were on the command line */
};

/* Returns true if the option was given on the command line. */
static inline bool settings_given(const struct settings *st, const char *option)
{
	return arguments_given(st->given, option);
}

/*
 * Reports a fault if two options that exclude each other were both given. Returns ST_OK or
 * ST_USAGE.
 */
static inline int settings_exclude(const struct settings *st, const char *a, const char *b)
{
	return arguments_exclude(st->given, a, b);
}

/*
 * Returns the capabilities that endpoints of the backend can have. A simulated network has
 * CAP_ACKED and CAP_READ only if the RDMA form describes it.
 */
static inline unsigned settings_caps(const struct settings *st)
{
	bool lacks = st->be->network && !st->network.is_rdma;

	return lacks ? st->be->caps & ~(unsigned)(CAP_ACKED | CAP_READ) : st->be->caps;
}

/* Returns true if time is virtual. All repetitions are then identical. */
static inline bool settings_virtual(const struct settings *st)
{
	return st->be->caps & CAP_VIRTUAL;
}

/* Returns true if the command measures its plan in each interval of --duration. */
static inline bool settings_monitors(const struct settings *st)
{
	return st->monitoring.duration_s > 0;
}

/*
 * Reads the file of --like, and asks the backend which network it simulates. Returns ST_OK or
 * ST_USAGE.
 */
int settings_read_network(struct settings *st);

#endif
