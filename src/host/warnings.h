/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings that follow from where the ranks run and what else their machines do. */
#ifndef NETBENCH_HOST_WARNINGS_H
#define NETBENCH_HOST_WARNINGS_H

#include <stddef.h>

#include "host/pin.h"

/*
 * Calls `report` for each finding, before the run and on rank 0. Findings are, on any host, more
 * ranks than cores, ranks not pinned, several ranks bound to one core; on this one a frequency
 * governor other than "performance", load from others (load average > 0.5). places[i] is that of
 * rank i. Yields how many ranks share a core, on the machine where that is most: 1 if none do; at
 * least 2 where several are bound to one.
 */
double host_warnings(const struct place *places, size_t n,
		     void (*report)(void *arg, const char *text), void *arg);

#endif
