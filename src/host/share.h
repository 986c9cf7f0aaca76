/* SPDX-License-Identifier: Apache-2.0 */
/* Pins ranks that a launcher has started, whether each has CPUs of its own or they share CPUs. */
#ifndef NETBENCH_HOST_SHARE_H
#define NETBENCH_HOST_SHARE_H

#include "host/pin.h"
#include "job/job.h"

/*
 * Binds the calling rank as `pin` demands (pin.h). With "core", each of the ranks that may use the
 * same CPUs gets one of their cores. A list of CPUs is for all ranks of the machine, in the order
 * of their numbers. Sets job->cpus. Collective. Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 * The caller frees p.
 */
int pin_launched_rank(struct placement *p, const char *pin, struct job *job);

#endif
