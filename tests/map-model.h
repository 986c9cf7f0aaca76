/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated cluster that map measures, from random numbers: bandwidths of visits with their
 * noise, and faults. It also answers the measurements that the judgement requests.
 */
#ifndef NETBENCH_TESTS_MAP_MODEL_H
#define NETBENCH_TESTS_MAP_MODEL_H

#include "analyse/map/judge.h"
#include "base/random.h"

enum fault {
	NO_FAULT, HOST_BOTH, HOST_SENDS, HOST_RECEIVES, ONE_PAIR, ONE_DIRECTION, ONE_UNSTEADY,
	TWO_HOSTS, THREE_HOSTS, LEAF, LEAF_AND_HOST, NFAULTS,
	/* only for the tables: half of the hosts, and a quarter of them, are a group */
	HALF = NFAULTS, RACK, MIX_OF_3, FIVE_HOSTS, SLOW_40, SLOW_60, ALL_FAULTS
};
extern const char *const fault_names[ALL_FAULTS];

/* The network that pairs share. Hosts 0 to leaf - 1 are the first leaf. */
enum company {
	SHARE_NOTHING,
	SHARE_FLUID,		/* a leaf has one link to the spine, and one from it */
	SHARE_ECMP,	/* a leaf has several links of a host's rate; each meeting draws one */
	SHARE_PAIR,		/* the same, but a pair uses the same link in all meetings */
	SHARE_DRAGONFLY,	/* each pair of leaves has a link of its own */
	NCOMPANIES
};
extern const char *const company_names[NCOMPANIES];

/* Round trips: the distance of two hosts, in steps of 0.3 of the least time. */
enum distances { ALL_NEAR, TWO_TIERS, THREE_TIERS, TORUS, NTIERS };

struct network {
	enum company sharing;
	uint32_t leaf;
	double over;	/* oversubscription: rate of the hosts of a leaf / rate of its links */
	double rate;		/* rate of a link to the spine / rate of a host; 0: at least 1 */
	enum distances tiers;
};

struct cluster {
	uint32_t n, nvisits;
	uint32_t quick;			/* number of rounds of random pairs; 0: tournaments */
	double noise;			/* noise of a sample: sigma of its logarithm */
	double effect;			/* relative effect of the fault */
	enum fault fault;
	bool latency;			/* y is the same in both directions */
	struct network net;
	uint32_t weak;			/* a leaf (from 1 on) with half of its links; 0: none */
	/* share of whole visits of a pair that are disturbed; 0: the usual share */
	double disturbed;
	/* hosts with a load of their own, drawn anew in each round */
	uint32_t nbusy, busy[2];
	uint32_t bad[5];		/* the hosts of the fault */
	double *host_s, *host_r, *pair;	/* differences of hosts and pairs without a fault */
	double drift;
	struct flow *flow;		/* of a round */
	bool *coin;
	bool loses;	/* in the retest, meetings of these two hosts, or of one, do not answer */
	uint32_t lost[2];
	struct rng rng;
	/* number of rounds that it answers before it gives up; 0: never gives up */
	size_t gives_up;
	struct matrix m;		/* the results of the visits */
};

/* Draws hosts and their fault, and measures the visits. */
void cluster_make(struct cluster *c, uint64_t seed);
void cluster_free(struct cluster *c);

/*
 * Judges the visits and, if `again`, rounds that the cluster answers. The result goes into j, which
 * is for judged_free. Arguments as of judge_close.
 */
int cluster_judge(struct cluster *c, const struct rules *rules, bool again, struct map_judged *j);

/* True if j names exactly the fault. It may also say that a network with shared links is shared. */
bool cluster_found(const struct cluster *c, const struct map_judged *j);

#endif
