/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What another person must know to repeat a run (DESIGN: honesty): the machine, the
 * build, and the places of the ranks.
 */
#ifndef NETBENCH_HOST_RECORD_H
#define NETBENCH_HOST_RECORD_H

#include "host/pin.h"

#include <jansson.h>
#include <stddef.h>

/* Cores (not hardware threads) that the process was given, whatever it is bound to. At least 1. */
int env_ncores(void);

/* Tasks of this machine that are ready to run now, the caller among them; negative if unknown. */
int env_running(void);

/* The frequency governor of CPU 0; false if there is none to be seen. */
bool env_governor(char *name, size_t len);

/*
 * The machine and the build as a nested object: netbench version, compiler and build type; time
 * of the call (ISO 8601, UTC); host name, kernel, distribution, libc, virtualisation; of the kernel
 * its build, the words of its command line that bear on performance, isolated and tickless CPUs,
 * mitigations that are not "Not affected"; CPU model, cores and threads (those that the process was
 * given), caches, frequency governor and turbo, idle governor, NUMA nodes; memory, page size,
 * transparent huge pages; sysctls by their names; network and InfiniBand devices; clock source;
 * load average; limits ("unlimited" where there is none). Unknown is null. New reference.
 */
json_t *env_collect(void);

/* The ranks' places as an array of objects. New reference. */
json_t *env_places(const struct place *places, size_t n);

/*
 * Load from others during the run: env_load_start before, env_load_others after, on rank 0.
 * Yields the cores' worth that others (and the hypervisor: steal) used of this machine since:
 * CPU seconds beyond those that netbench's own ranks used, divided by the wall time. Kernel work
 * for netbench that the kernel charges to nobody (interrupts) counts as others'. Negative if
 * /proc does not tell.
 */
struct load {
	double busy_s, wall_s;
};
void env_load_start(struct load *l);
double env_load_others(const struct load *start, double own_cpu_s);

#endif
