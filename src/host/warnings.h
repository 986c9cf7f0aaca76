/* SPDX-License-Identifier: Apache-2.0 */
/* Warns about the placement of the ranks, and about other load on their machines. */
#ifndef NETBENCH_HOST_WARNINGS_H
#define NETBENCH_HOST_WARNINGS_H

#include <stddef.h>

#include "host/pin.h"

/*
 * Calls `report` for each finding. Called on rank 0 before the run. places[i] is the place of rank
 * i.
 *
 * Findings on any host: more ranks than cores, ranks that are not pinned, several ranks bound to
 * one core. Findings on this host: a frequency governor other than "performance", and load from
 * others (load average > 0.5).
 *
 * Returns the largest number of ranks per core of any machine; 1 if no core is shared. If several
 * ranks are bound to one core, the number is at least 2.
 */
double host_warnings(const struct place *places, size_t n,
		     void (*report)(void *arg, const char *text), void *arg);

#endif
