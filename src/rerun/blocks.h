/* SPDX-License-Identifier: Apache-2.0 */
/* Measures blocks: a block starts each command line once, in a new random order. */
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
	json_t *runs; /* all runs, as kept_run_json writes them */
	struct run_result *results; /* results of complete blocks: results[block * lines + line] */
	size_t blocks, voids; /* blocks: complete ones; voids: blocks with a failed run */
	size_t planned; /* planned number of blocks, for the progress line; 0: not known */
	size_t *failed; /* for each line: number of failed runs */
	uint64_t seed;
	struct rng order, padding;
	/* begun: clock_wall at the start; block_s: mean time of a block, or an estimate */
	double begun, block_s;
	size_t here; /* number of blocks that this process has measured, void ones included */
	int signal; /* signal that asks to end; 0: none */
	sigset_t watched;
	char why[400]; /* reason why the last run failed */
	struct runs_journal journal;
	struct progress progress;
};

/*
 * Begins an experiment. Takes over the runs of an earlier one, if `resumed` names it. Then runs
 * each line once without counting it. Returns ST_OK; ST_USAGE if the earlier experiment has other
 * command lines; the exit status of an uncounted run that failed; or ST_FAILED. All are reported.
 * Call experiment_close in any case.
 */
int experiment_open(struct experiment *x, const struct run_lines *lines,
		    const struct output_options *o, const char *resumed, uint64_t seed);

/*
 * Measures a block. `left_s`: seconds left for all blocks. A failed run makes the block void, and a
 * warning tells it. Returns ST_OK, or ST_FAILED (reported) if more than a quarter of the blocks are
 * void.
 */
int experiment_block(struct experiment *x, double left_s);

/* Returns true if one more block would end within `limit_s` of the beginning. */
bool experiment_has_time(const struct experiment *x, double limit_s);

/*
 * Returns warnings about failed runs, a new list of texts. If some command lines fail more often
 * than others, the counted runs may hide a difference.
 */
json_t *experiment_warnings(const struct experiment *x);

/* Ends an experiment. `written` is true if the result is on disk. */
void experiment_close(struct experiment *x, bool written);

#endif
