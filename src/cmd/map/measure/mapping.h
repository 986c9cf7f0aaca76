/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a rank while it measures all pairs. A "host" here is one rank of a host or, with
 * --unit rank, any rank.
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
	uint32_t n;			/* number of hosts, which are ordered by name */
	int *rank; /* rank of each host; NULL: rank = host number (see host_rank) */
	uint32_t own;			/* host number of this rank; n: this rank takes no part */
	enum map_mode mode;
	uint32_t visits, done;		/* number of planned visits; number of complete visits */
	/* out[i]: host i stopped answering and is in no further pair. The same on all ranks. */
	bool *out, any_out;		/* `out` is NULL if the backend cannot lose ranks */
	struct spec spec[NQUANTITIES];
	struct groups pairs;		/* pairs being measured */
	size_t at_once[NQUANTITIES];	/* limit of pairs that are measured at the same time */
	size_t npairs;
	/*
	 * Pairs of a round: all pairs, or only the pair of this rank. Has room for `most` pairs of
	 * each quantity.
	 */
	struct encounter *at;
	size_t most;
	double *work;
	/* the following members are valid only on rank 0: */
	uint32_t *failed; /* number of consecutive pairs of each host that gave no answer */
	json_t *before;			/* from machines_collect, before the first visit */
	struct study study;
	struct journal journal;
	bool finished;			/* study_finish has been called */
	struct verdicts all;
	struct judging judging;
	bool *out_before;		/* copy of `out` from before the latest round */
	bool judged;
};

#endif
