/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plays one rank's role in an epoch of `load`: an asking victim, an answering victim or an
 * aggressor. It uses message operations only. The clock ends an epoch. Then each aggressor sends
 * one last, marked message to each of its receivers, and all ranks receive what is still in flight.
 */
#ifndef NETBENCH_CMD_LOAD_PLAY_H
#define NETBENCH_CMD_LOAD_PLAY_H

#include "cmd/load/epoch.h"
#include "measure/plan/pattern.h"

struct series;

/* Sets what happens in the next epoch. Call it on every rank before part_run. */
void load_set_epoch(void *state, const struct load_epoch *epoch);

/*
 * Call it after part_run. Sets *did to the outcome of this rank. An asking victim appends the times
 * of its events, s, to `latency` and `service`. `latency` counts from the time at which an event
 * was due, `service` from its real send. Returns 0, or -1 without memory.
 */
int load_collect(void *state, struct load_outcome *did, struct series *latency,
		 struct series *service);

/*
 * Completes the receives that are still posted: ranks send each other messages for them. Call it
 * when all ranks have ended the epoch. Returns ST_OK or ST_FAILED.
 */
int load_complete_receives(void *state);

extern const struct pattern pattern_load;

#endif
