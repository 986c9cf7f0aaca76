/* SPDX-License-Identifier: Apache-2.0 */
/* Hosts that are sometimes slow. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_UNSTEADY_H
#define NETBENCH_ANALYSE_MAP_JUDGE_UNSTEADY_H

#include "analyse/map/judge/fit.h"

/* A suspect: some of its `met` pairs are mixed; in quick mode, slow. */
struct vary {
	uint32_t host, mixed, met;
	double drop;		/* the median of the mixed pairs; a log */
};

struct unsteady {
	double g;		/* a pair is mixed if its visits differ by more */
	struct vary *at;	/* the largest share first */
	uint32_t n;
	double elsewhere;	/* share of mixed pairs among the other hosts */
};

/* Finds suspects, and marks them in f->varies. */
struct unsteady unsteady_find(struct peers *f);

/* Probability of at least k successes in n trials, where each succeeds with probability p. */
double binomial_tail(uint32_t n, uint32_t k, double p);

#endif
