/* SPDX-License-Identifier: Apache-2.0 */
/* Measures: starts each command line once in a block, in an order drawn anew for each block. */
#ifndef NETBENCH_RERUN_BLOCKS_H
#define NETBENCH_RERUN_BLOCKS_H

#include <signal.h>

#include "analyse/runs/table.h"
#include "base/random.h"
#include "rerun/journal.h"
#include "rerun/lines.h"
#include "measure/sink/progress.h"

struct experiment {
	const struct run_lines *lines;
	json_t *runs; /* all of them, as kept_run_json */
	struct run_result *results; /* of whole blocks: results[block * lines + line] */
	size_t blocks, voids; /* whole ones; those with a failed run */
	size_t planned; /* blocks, for the progress line; 0: not known */
	size_t *failed; /* runs of each line that failed */
	uint64_t seed;
	struct rng order, padding;
	double begun, block_s; /* clock_wall; the mean time of a block, or an estimate */
	size_t here; /* blocks that were measured by this process, voids too */
	int signal; /* to end; 0: none has come */
	sigset_t watched;
	char why[400]; /* why the last run failed */
	struct runs_journal journal;
	struct progress progress;
};

/*
 * Begins with the runs of an earlier one, if `resumed` names it, and one uncounted run of each
 * line. ST_OK; ST_USAGE if the earlier one is of other command lines; what the uncounted run
 * ended with if it failed; or ST_FAILED. All reported. For experiment_close in any case.
 */
int experiment_open(struct experiment *x, const struct run_lines *lines,
		    const struct output_options *o, const char *resumed, uint64_t seed);

/*
 * Measures a block; `left_s`: seconds that are left for all. A failed run makes it void, which is
 * said on stderr. ST_OK, or ST_FAILED (reported) if more than a quarter of the blocks are void.
 */
int experiment_block(struct experiment *x, double left_s);

/* Whether one more block would end within `limit_s` of the beginning. */
bool experiment_has_time(const struct experiment *x, double limit_s);

/*
 * What the runs that failed leave to say: a new list of texts. Failures of command lines that are
 * not alike may be what the runs that were counted do not show.
 */
json_t *experiment_warnings(const struct experiment *x);

/* `written`: the result is on disk. */
void experiment_close(struct experiment *x, bool written);

#endif
