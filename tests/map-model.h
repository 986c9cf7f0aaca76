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
	TWO_HOSTS, THREE_HOSTS, LEAF, LEAF_AND_HOST, NFAULTS
};
extern const char *const fault_names[NFAULTS];

struct cluster {
	uint32_t n, nvisits;
	uint32_t quick;			/* rounds of random pairs; 0: tournaments */
	double noise;			/* of a sample: sigma of its logarithm */
	double effect;			/* of the fault, relative */
	enum fault fault;
	bool latency;			/* y is the same both ways */
	uint32_t bad[3];		/* the hosts of the fault */
	double *host_s, *host_r, *pair;	/* what they differ by without one */
	double drift;
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

/* True if j says exactly what the fault is: nothing else, nothing less. */
bool cluster_found(const struct cluster *c, const struct map_judged *j);

#endif
