/* SPDX-License-Identifier: Apache-2.0 */
/* Finds hosts that are sometimes slow. */
#ifndef NETBENCH_ANALYSE_MAP_JUDGE_UNSTEADY_H
#define NETBENCH_ANALYSE_MAP_JUDGE_UNSTEADY_H

#include "analyse/map/judge/fit.h"

/*
 * A suspect. The host has met `met` hosts, and `mixed` of these pairs are mixed: their visits
 * differ by more than g. In quick mode, mixed pairs are slow pairs.
 */
struct vary {
	uint32_t host, mixed, met;
	double drop;		/* median drop of the mixed pairs, a logarithm */
};

struct unsteady {
	double g;		/* a pair is mixed if its visits differ by more than g */
	struct vary *at; /* the suspects; the one with the largest share of mixed pairs is first */
	uint32_t n;
	double elsewhere;	/* share of mixed pairs among the pairs of the other hosts */
};

/* Finds the hosts that are suspected to be unsteady, and marks them in f->varies. */
struct unsteady unsteady_find(struct peers *f);

/* Probability of at least k successes in n trials, where each succeeds with probability p. */
double binomial_tail(uint32_t n, uint32_t k, double p);

#endif
