/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses CPUs for the ranks of this machine, binds the ranks to them, and finds out where they
 * run.
 *
 * A process reads the topology of the machine once, on the first call. The CPUs that it may use at
 * that moment (taskset, cgroup) remain the allowed CPUs, even if it binds itself later. Call
 * placement_make before forking ranks, so that the topology is read only once.
 */
#ifndef NETBENCH_HOST_PIN_H
#define NETBENCH_HOST_PIN_H

#include <stdbool.h>

/* The CPU to which each rank of this machine is pinned. */
struct placement {
	int nranks;		/* number of ranks on this machine */
	int ncores;		/* number of cores that this process may use */
	int npus;		/* number of hardware threads that this process may use */
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
 * A list of CPU numbers such as "0,2,4-7": local rank i gets the i-th CPU. The list needs at least
 *	one CPU for each rank.
 *
 * Reports a list that is malformed or too short, or a CPU that is not available. Returns ST_OK,
 * ST_USAGE, or ST_FAILED if the topology cannot be read.
 */
int placement_make(struct placement *p, const char *pin, int nranks);
void placement_free(struct placement *p);

/*
 * Returns the number of CPUs that the ranks share: the number of distinct CPUs to which they are
 * pinned. If ranks are not pinned, returns the number of all CPUs that the process may use.
 */
int placement_ncpus(const struct placement *p);

/*
 * Binds the calling process to the CPU of its rank, if ranks are pinned. Returns ST_OK, or
 * ST_FAILED (reported).
 */
int placement_bind(const struct placement *p, int local_rank);

/* Returns the allowed CPUs as a list such as "0-3,8"; NULL if they cannot be read. */
const char *placement_allowed(void);

/* Where one rank runs. Each rank fills its own struct place after binding; rank 0 gathers them. */
struct place {
	char host[64];
	int pid;
	int cpu;		/* CPU on which the rank ran during place_find */
	int ncpus;		/* number of CPUs on which the rank may run */
	/* the CPU on which alone the rank may run; -1 if it may run on several */
	int bound;
	int numa;		/* NUMA node of `cpu`, -1 if unknown */
	/*
	 * the core on which alone the rank may run, given by its lowest CPU; -1 if it may run on
	 * several
	 */
	int core;
	/* number of cores that the process could use before binding; 0 if unknown */
	int ncores;
	/* identifies the machine; set by the caller; if empty, `host` identifies it */
	char machine[40];
	char options[120];	/* options that only this rank was given; set by the caller */
};
void place_find(struct place *p);

#endif
