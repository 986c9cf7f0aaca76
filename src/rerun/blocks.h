/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures blocks for `netbench runs`. In a block, each command line runs once, in a new random
 * order.
 */
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
	json_t *runs; /* all runs, in the form of kept_run_json */
	/* results of complete blocks: results[block * lines->n + line] */
	struct run_result *results;
	size_t blocks, /* number of complete blocks */
	       voids; /* number of blocks with a failed run */
	size_t planned; /* planned number of blocks, for the progress line; 0: not known */
	size_t *failed; /* for each line: number of failed runs */
	uint64_t seed;
	struct rng order, padding;
	double begun, /* value of clock_wall at the start of the experiment */
	       block_s; /* mean time of a block in s; an estimate before the first block */
	size_t here; /* number of blocks that this process has measured, including void blocks */
	int signal; /* signal that asks this process to end; 0: none */
	sigset_t watched;
	char why[400]; /* reason why the most recent failed run failed */
	struct runs_journal journal;
	struct progress progress;
};

/*
 * Begins an experiment. If `resumed` is not NULL, it names the file of an earlier experiment, whose
 * runs are adopted. Then runs each line once without counting the run. Returns ST_OK, or a fault,
 * which is reported. ST_USAGE: the earlier experiment has other command lines. If an uncounted run
 * fails with exit status ST_USAGE or ST_UNAVAILABLE, returns that status. After other faults
 * returns ST_FAILED. Call experiment_close in any case.
 */
int experiment_open(struct experiment *x, const struct run_lines *lines,
		    const struct output_options *o, const char *resumed, uint64_t seed);

/*
 * Measures a block. `left_s` is the time in s left for all blocks, for the progress line. A failed
 * run makes the block void and causes a warning. Returns ST_OK, or ST_FAILED (reported) if at least
 * two blocks and more than a quarter are void, or if memory is short.
 */
int experiment_block(struct experiment *x, double left_s);

/*
 * Returns true if one more block would likely end within limit_s seconds after the beginning of the
 * experiment.
 */
bool experiment_has_time(const struct experiment *x, double limit_s);

/*
 * Returns a new list of texts that warn of failed runs. If some command lines fail more often than
 * others, the complete blocks may hide a difference.
 */
json_t *experiment_warnings(const struct experiment *x);

/* Ends an experiment. If `written` is true, the result is on disk and the journal is removed. */
void experiment_close(struct experiment *x, bool written);

#endif
