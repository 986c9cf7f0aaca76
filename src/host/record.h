/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects what the record says about a run's circumstances: the machine, the build, and where the
 * ranks run.
 */
#ifndef NETBENCH_HOST_RECORD_H
#define NETBENCH_HOST_RECORD_H

#include <jansson.h>
#include <stddef.h>

#include "host/pin.h"

/*
 * Returns the number of cores (not hardware threads) that the process could use before binding; at
 * least 1.
 */
int host_ncores(void);

/*
 * Returns the number of tasks on this machine that are running or ready to run, including the
 * caller; negative if unknown.
 */
int host_running(void);

/* Reads the frequency governor of CPU 0. Returns false if none exists. */
bool host_governor(char *name, size_t len);

/*
 * Describes the machine and the build as a nested object:
 *
 * netbench, a random id of the run, the time of the call (ISO 8601, UTC), the host;
 * the kernel, with only those words of its command line that affect performance;
 * CPU and memory that this process may use, sysctls by name, network devices;
 * clock source, load average, and limits (a number or "unlimited").
 *
 * An unknown value is null. New reference.
 */
json_t *host_collect(void);

/* Returns an array of objects that say where the n ranks run. New reference. */
json_t *host_places(const struct place *places, size_t n);

#endif
