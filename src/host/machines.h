/* SPDX-License-Identifier: Apache-2.0 */
/* What the machines of a job are like, brought to rank 0, and what they have in common. */
#ifndef NETBENCH_HOST_MACHINES_H
#define NETBENCH_HOST_MACHINES_H

#include <jansson.h>

#include "job/job.h"

/*
 * The facts of this machine by their paths, "host.kernel", without what differs between any two
 * processes. `more`: others, by the name "backend", which it takes; may be NULL. New reference.
 */
json_t *machines_facts(json_t *more);

/* Adds a link, as links_look has it, to these: "link.K.name", "link.K.mtu_B". */
void machines_add_link(json_t *facts, size_t k, const char *name, const json_t *link);

/*
 * Brings an object of each rank to rank 0. It takes that object, which may be NULL. Yields there a
 * list with an object or null for each rank, a new reference; NULL elsewhere. Collective; aborts
 * the job without memory.
 */
json_t *machines_gather(struct job *job, json_t *mine);

/* The one of n values that most have, and how many; NULL stands for null. Borrowed. */
json_t *machines_commonest(json_t *const *values, size_t n, size_t *count);

/*
 * Takes out of the facts of each host, its member "own", what most have, which it returns: a new
 * reference. A fact that most have and a host has not is null there.
 */
json_t *machines_common(json_t *hosts);

#endif
