/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the ranks of this machine may run, where they do run, and how they are bound.
 *
 * A process reads the topology of the machine once, on the first call. The CPUs that it had at that
 * moment (taskset, cgroup) are the allowed CPUs, even if it binds itself later. Call placement_make
 * before forking ranks, so that they share one reading.
 */
#ifndef NETBENCH_HOST_PIN_H
#define NETBENCH_HOST_PIN_H

#include <stdbool.h>

/* Which CPU each rank of this machine is pinned to. */
struct placement {
	int nranks;		/* number of ranks on this machine */
	int ncores;		/* cores that this process may use */
	int npus;		/* hardware threads that this process may use */
	bool pinned;
	int *cpu;		/* CPU (OS number) of each local rank; NULL if not pinned */
};

/*
 * Chooses a CPU for each of `nranks` local ranks with hwloc, among the CPUs that this process may
 * use. `pin` has one of three forms:
 *
 * "none": ranks are not pinned.
 * "core": each rank gets its own core, in hwloc's order, so that neighbours share a cache. If there
 *	are too few cores, ranks are not pinned.
 * A list of CPU numbers such as "0,2,4-7", at least one for each rank.
 *
 * Reports a list that is malformed or too short, or a CPU that is not available. Returns ST_OK,
 * ST_USAGE, or ST_FAILED if the topology cannot be read.
 */
int placement_make(struct placement *p, const char *pin, int nranks);
void placement_free(struct placement *p);

/*
 * Returns the number of CPUs that the ranks share: the distinct CPUs they are pinned to, or else
 * all CPUs that the process may use.
 */
int placement_ncpus(const struct placement *p);

/*
 * Binds the calling process to the CPU of its rank, if ranks are pinned. Returns ST_OK, or
 * ST_FAILED (reported).
 */
int placement_bind(const struct placement *p, int local_rank);

/* Returns the CPUs that this process was given, as a list such as "0-3,8"; NULL if unreadable. */
const char *placement_allowed(void);

/* Where one rank runs. The rank fills it itself after binding, and rank 0 gathers it. */
struct place {
	char host[64];
	int pid;
	int cpu;		/* CPU on which it ran at the time of the call */
	int ncpus;		/* number of CPUs on which it may run */
	int bound;		/* the only CPU it may run on, else -1 */
	int numa;		/* NUMA node of `cpu`, -1 if unknown */
	int core;		/* the only core it may run on, as its lowest CPU; else -1 */
	/* number of cores that its process was given, before binding; 0 if unknown */
	int ncores;
	/* identifies the machine; set by the caller; if empty, the host name does */
	char machine[40];
	char options[120];	/* options that only this rank was given; set by the caller */
};
void place_find(struct place *p);

#endif
