/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a rank while it measures all pairs. A "host" is one rank of a host, or with --unit
 * rank any rank.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_MAPPING_H
#define NETBENCH_CMD_MAP_MEASURE_MAPPING_H

#include "analyse/map/judge.h"
#include "cmd/map/measure/journal.h"
#include "cmd/map/options.h"
#include "measure/sweep.h"

struct mapping {
	struct session *s;
	const struct map_options *o;
	uint32_t n;			/* number of hosts; they are in the order of their names */
	int *rank;			/* rank of each host; NULL: its number (see host_rank) */
	uint32_t own;			/* host number of this rank; n: it takes no part */
	enum map_mode mode;
	uint32_t visits, done;		/* visits planned; complete visits */
	/* Hosts that stopped answering and are in no further pair; the same on all ranks. */
	bool *out, any_out;		/* NULL: the backend cannot lose ranks */
	struct spec spec[NQUANTITIES];
	struct groups pairs;		/* pairs being measured */
	size_t at_once[NQUANTITIES];	/* pairs of a round that are measured at the same time */
	size_t npairs;
	/*
	 * Pairs of a round, with room for `most` of each quantity: all pairs, or only that of this
	 * rank.
	 */
	struct encounter *at;
	size_t most;
	double *work;
	/* only on rank 0: */
	uint32_t *failed;		/* consecutive pairs of a host that gave no answer */
	json_t *before;			/* from machines_collect, before the first visit */
	struct study study;
	struct journal journal;
	bool finished;			/* study_finish has been called */
	struct verdicts all;
	struct judging judging;
	bool *out_before;		/* `out` before the last round */
	bool judged;
};

#endif
