/* SPDX-License-Identifier: Apache-2.0 */
/* Pinning ranks that a launcher has started, each with CPUs of its own or sharing them. */
#ifndef NETBENCH_HOST_SHARE_H
#define NETBENCH_HOST_SHARE_H

#include "host/pin.h"
#include "job/job.h"

/*
 * Binds the calling rank as `pin` says (pin.h): "core" gives each of the ranks that may use the
 * same CPUs a core of these; a list is for all ranks of the machine, in the order of their numbers.
 * Sets job->cpus. Collective. ST_OK, ST_USAGE or ST_FAILED (reported); the caller frees p.
 */
int share_machine(struct placement *p, const char *pin, struct job *job);

#endif
