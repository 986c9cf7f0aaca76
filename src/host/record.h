/* SPDX-License-Identifier: Apache-2.0 */
/* What it takes to repeat a run elsewhere: the machine, the build, and where the ranks are. */
#ifndef NETBENCH_HOST_RECORD_H
#define NETBENCH_HOST_RECORD_H

#include <jansson.h>
#include <stddef.h>

#include "host/pin.h"

/* Cores (not hardware threads) that the process was given, whatever it is bound to. At least 1. */
int host_ncores(void);

/* Tasks of this machine that are ready to run now, the caller among them; negative if unknown. */
int host_running(void);

/* The frequency governor of CPU 0; false if none can be seen. */
bool host_governor(char *name, size_t len);

/*
 * The machine and the build as a nested object. It has netbench, a random id of the run, the time
 * of the call (ISO 8601, UTC), host and kernel. Of the kernel's command line it has only the words
 * that bear on performance. It also has CPU and memory as this process was given them, sysctls by
 * name, network devices, clock source, load average, and limits (or "unlimited"). Unknown is null.
 * New reference.
 */
json_t *host_collect(void);

/* Where the n ranks are, as an array of objects. New reference. */
json_t *host_places(const struct place *places, size_t n);

#endif
