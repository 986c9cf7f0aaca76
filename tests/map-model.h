/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cluster that is measured by map, out of random numbers: bandwidths of visits with the noise
 * that they have, and faults. It answers a retest as well.
 */
#ifndef NETBENCH_TESTS_MAP_MODEL_H
#define NETBENCH_TESTS_MAP_MODEL_H

#include "base/random.h"
#include "cmd/map/judge/judge.h"

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
	struct rng rng;
	struct matrix m;		/* what the visits yield */
};

/* Draws hosts and their fault, and measures the visits. */
void cluster_make(struct cluster *c, uint64_t seed);
void cluster_free(struct cluster *c);

/* For struct retest, with the cluster as its arg. */
int cluster_round(void *arg, struct encounter *meetings, size_t n);

/* True if j says exactly what the fault is: nothing else, nothing less. */
bool cluster_found(const struct cluster *c, const struct judgement *j);

#endif
