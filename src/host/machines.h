/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collects facts about the machines of a job on rank 0, and finds the facts that most machines have
 * in common.
 */
#ifndef NETBENCH_HOST_MACHINES_H
#define NETBENCH_HOST_MACHINES_H

#include <jansson.h>

#include "job/job.h"

/*
 * Returns the facts of this machine in one object, a new reference. Keys are paths, such as
 * "host.kernel". Leaves out facts that always differ between two processes. `more` has further
 * facts, which get paths below "backend". `more` may be NULL; its reference is taken over.
 */
json_t *machines_facts(json_t *more);

/*
 * Adds the facts of a link (an object of links_describe) to `facts`, with the paths "link.K.name",
 * "link.K.mtu_B" and so on.
 */
void machines_add_link(json_t *facts, size_t k, const char *name, const json_t *link);

/*
 * Sends each rank's object `mine` to rank 0. `mine` may be NULL; its reference is taken over. On
 * rank 0, returns a list with the object of each rank, or null; a new reference. On other ranks,
 * returns NULL. Collective. If memory is short, aborts the job.
 */
json_t *machines_gather(struct job *job, json_t *mine);

/*
 * Returns the most frequent of n values, borrowed. Sets *count to how often it occurs. A value NULL
 * counts as a value.
 */
json_t *machines_commonest(json_t *const *values, size_t n, size_t *count);

/*
 * Finds the most frequent value of each fact. `hosts` is a list of hosts. Member "own" of a host
 * has its facts. Returns an object with the most frequent values, a new reference. Removes from
 * each "own" the facts that have the most frequent value. If a host lacks a fact that most hosts
 * have, sets this fact to null in the host's "own".
 */
json_t *machines_common(json_t *hosts);

#endif
