/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster that is measured by map, out of random numbers: bandwidths of visits with the noise
 * that they have, and faults. It also answers what judging asks for.
 */
#ifndef NETBENCH_TESTS_MAP_MODEL_H
#define NETBENCH_TESTS_MAP_MODEL_H

#include "analyse/map/judge.h"
#include "base/random.h"

enum fault {
	NO_FAULT, HOST_BOTH, HOST_SENDS, HOST_RECEIVES, ONE_PAIR, ONE_DIRECTION, ONE_UNSTEADY,
	TWO_HOSTS, THREE_HOSTS, LEAF, LEAF_AND_HOST, NFAULTS,
	/* for the tables alone: half of the hosts and a quarter are a group */
	HALF = NFAULTS, RACK, MIX_OF_3, FIVE_HOSTS, SLOW_40, SLOW_60, ALL_FAULTS
};
extern const char *const fault_names[ALL_FAULTS];

/* What pairs share. Hosts 0 to leaf - 1 are the first leaf. */
enum company {
	SHARE_NOTHING,
	SHARE_FLUID,		/* a leaf has one link to the spine, and one back */
	SHARE_ECMP,		/* it has several of a host's rate; each meeting draws one */
	SHARE_PAIR,		/* the same, but a pair has the same link in all meetings */
	SHARE_DRAGONFLY,	/* each two leaves have a link of their own */
	NCOMPANIES
};
extern const char *const company_names[NCOMPANIES];

/* Round trips: how many steps of 0.3 of the least time two hosts are apart. */
enum distances { ALL_NEAR, TWO_TIERS, THREE_TIERS, TORUS, NTIERS };

struct network {
	enum company sharing;
	uint32_t leaf;
	double over;		/* oversubscription: hosts of a leaf over what its links carry */
	double rate;		/* of a link to the spine, over a host's; 0: at least 1 */
	enum distances tiers;
};

struct cluster {
	uint32_t n, nvisits;
	uint32_t quick;			/* rounds of random pairs; 0: tournaments */
	double noise;			/* of a sample: sigma of its logarithm */
	double effect;			/* of the fault, relative */
	enum fault fault;
	bool latency;			/* y is the same both ways */
	struct network net;
	uint32_t weak;			/* a leaf, from 1 on, with half of its links; 0: none */
	double disturbed;		/* whole visits of a pair; 0: as many as usual */
	uint32_t nbusy, busy[2];	/* hosts with a load of their own, others in each round */
	uint32_t bad[5];		/* the hosts of the fault */
	double *host_s, *host_r, *pair;	/* what they differ by without one */
	double drift;
	struct flow *flow;		/* of a round */
	bool *coin;
	bool loses;			/* again, meetings of these two, or of one, do not answer */
	uint32_t lost[2];
	struct rng rng;
	size_t gives_up;		/* after so many rounds that it has answered; 0: never */
	struct matrix m;		/* what the visits yield */
};

/* Draws hosts and their fault, and measures the visits. */
void cluster_make(struct cluster *c, uint64_t seed);
void cluster_free(struct cluster *c);

/*
 * What is found in the visits, and, if `again`, in rounds that the cluster answers, into j, which
 * is for judged_free. As judge_close.
 */
int cluster_judge(struct cluster *c, const struct rules *rules, bool again, struct map_judged *j);

/*
 * True if j says exactly what the fault is: nothing else, nothing less. It may say that a network
 * with shared links is shared.
 */
bool cluster_found(const struct cluster *c, const struct map_judged *j);

#endif
