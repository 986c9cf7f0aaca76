/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pins ranks that a launcher has started. The launcher may have given several ranks the same CPUs,
 * or each rank its own CPUs.
 */
#ifndef NETBENCH_HOST_SHARE_H
#define NETBENCH_HOST_SHARE_H

#include "host/pin.h"
#include "job/job.h"

/*
 * Binds the calling rank according to `pin` (pin.h). With "core", ranks that may use the same CPUs
 * divide these CPUs' cores among themselves: each rank gets one core. With a list of CPUs, the
 * ranks of the machine take the CPUs in the order of rank numbers. Sets job->cpus. Collective.
 * Returns ST_OK, ST_USAGE or ST_FAILED (reported). The caller frees p.
 */
int pin_launched_rank(struct placement *p, const char *pin, struct job *job);

#endif
