/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a rank while all pairs are measured. */
#ifndef NETBENCH_CMD_MAP_MEASURE_MAPPING_H
#define NETBENCH_CMD_MAP_MEASURE_MAPPING_H

#include "analyse/map/judge.h"
#include "cmd/map/measure/journal.h"
#include "cmd/map/options.h"
#include "measure/sweep.h"

struct mapping {
	struct session *s;
	const struct map_options *o;
	uint32_t n;			/* hosts, or ranks: in the order of their names */
	int *rank;			/* of each; NULL: its number, see play_rank */
	uint32_t own;			/* the number of this rank among them; n: it idles */
	enum map_mode mode;
	uint32_t visits, done;		/* visits to make; whole visits */
	/* hosts that stopped answering: they meet no host; the same on all ranks */
	bool *out, any_out;		/* NULL: the backend loses no rank */
	struct spec spec[NQUANTITIES];
	struct groups pairs;		/* of the round */
	size_t at_once[NQUANTITIES];	/* pairs of a round that play at the same time */
	size_t npairs;
	/* meetings of a round, most of each quantity: of all hosts, or of this rank alone */
	struct encounter *at;
	size_t most;
	double *work;
	/* rank 0 */
	uint32_t *failed;		/* pairs of a host in a row that were lost */
	json_t *before;			/* machines, before the first visit */
	struct study study;
	struct journal journal;
	bool finished;			/* study_finish has been called */
	struct verdicts all;
	struct judging judging;
	bool *out_before;		/* hosts that were out before the last round */
	bool judged;
};

#endif
