/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about the machines of a job: brings them to rank 0, and finds what the machines have in
 * common.
 */
#ifndef NETBENCH_HOST_MACHINES_H
#define NETBENCH_HOST_MACHINES_H

#include <jansson.h>

#include "job/job.h"

/*
 * Returns the facts of this machine by their paths, such as "host.kernel". Leaves out what differs
 * between any two processes. `more` are further facts, added under "backend"; it may be NULL, and
 * its reference is taken over. New reference.
 */
json_t *machines_facts(json_t *more);

/*
 * Adds a link, as links_describe describes it, to the facts, under "link.K.name", "link.K.mtu_B"
 * and so on.
 */
void machines_add_link(json_t *facts, size_t k, const char *name, const json_t *link);

/*
 * Brings one object of each rank to rank 0. `mine` may be NULL; its reference is taken over. On
 * rank 0 returns a list with an object or null for each rank, a new reference. Returns NULL on
 * other ranks. Collective. If memory is short, aborts the job.
 */
json_t *machines_gather(struct job *job, json_t *mine);

/*
 * Returns the most frequent of n values, and sets *count to how often it occurs. NULL stands for
 * null. Borrowed.
 */
json_t *machines_commonest(json_t *const *values, size_t n, size_t *count);

/*
 * Finds the most frequent value of each fact, in the member "own" of each host. Removes that value
 * from each "own" that has it. If a host lacks a fact that most hosts have, the fact becomes null
 * in its "own". Returns an object with the most frequent values, a new reference.
 */
json_t *machines_common(json_t *hosts);

#endif
