/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the ranks of this machine may run, where they do run, and binding them.
 *
 * A process reads the machine once, on the first call. Allowed are the CPUs that the process had
 * then (taskset, cgroup), whatever it binds itself to later. Call placement_make before forking
 * ranks, so that they share one reading.
 */
#ifndef NETBENCH_HOST_PIN_H
#define NETBENCH_HOST_PIN_H

#include <stdbool.h>

/* Which CPU each rank of this machine is pinned to. */
struct placement {
	int nranks;		/* ranks on this machine */
	int ncores;		/* cores that this process may use */
	int npus;		/* hardware threads that this process may use */
	bool pinned;
	int *cpu;		/* per local rank: CPU (OS number); NULL if not pinned */
};

/*
 * Makes a placement for `nranks` local ranks by hwloc, on CPUs that this process may use. `pin` is
 * "none", "core" (distinct cores in hwloc's order, so that neighbours share a cache; not pinned if
 * there are too few cores), or a list of CPU numbers such as "0,2,4-7", one for each rank at least.
 * Reports a list that is malformed or too short, or a CPU that is not available. ST_OK, ST_USAGE,
 * or ST_FAILED if the machine is unreadable.
 */
int placement_make(struct placement *p, const char *pin, int nranks);
void placement_free(struct placement *p);

/* CPUs that the ranks share: distinct ones they are pinned to, else all the process may use. */
int placement_ncpus(const struct placement *p);

/* Binds the caller to its rank's CPU, if pinned. ST_OK, or ST_FAILED (reported). */
int placement_bind(const struct placement *p, int local_rank);

/* The CPUs that this process was given, as a list such as "0-3,8"; NULL if unreadable. */
const char *placement_allowed(void);

/* Where one rank is: filled by the rank itself, after binding, and gathered at rank 0. */
struct place {
	char host[64];
	int pid;
	int cpu;		/* on which it ran when asked */
	int ncpus;		/* on how many it may run */
	int bound;		/* the only CPU it may run on, else -1 */
	int numa;		/* NUMA node of `cpu`, -1 if unknown */
	int core;		/* the only core it may run on, by its lowest CPU, else -1 */
	int ncores;		/* cores that its process was given, before binding; 0 if unknown */
	char machine[40];	/* tells machines apart; the caller's to fill, empty: by host */
	char options[120];	/* that this rank alone was given; the caller's to fill */
};
void place_here(struct place *p);

#endif
