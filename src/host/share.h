/* SPDX-License-Identifier: Apache-2.0 */
/* Places on a machine for ranks that others have started on it, each with CPUs of its own or shared ones. */
#ifndef NETBENCH_HOST_SHARE_H
#define NETBENCH_HOST_SHARE_H

#include "job/job.h"
#include "host/pin.h"

/*
 * Binds the calling rank as `pin` says (placement.h): ranks that were given the same CPUs share them out,
 * each a core; a list is for all ranks of the machine, in the order of their numbers. Sets job->cpus.
 * Collective. ST_OK, ST_USAGE or ST_FAILED; the caller frees p.
 */
int share_machine(struct placement *p, const char *pin, struct job *job);

#endif
