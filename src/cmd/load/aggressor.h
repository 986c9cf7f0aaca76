/* SPDX-License-Identifier: Apache-2.0 */
/* Plays an aggressor: sends the messages of its patterns and receives those of other aggressors. */
#ifndef NETBENCH_CMD_LOAD_AGGRESSOR_H
#define NETBENCH_CMD_LOAD_AGGRESSOR_H

struct actor;

/*
 * Runs one epoch: sends until its end, then one last, marked message to each receiver, and receives
 * what is still in flight. Returns ST_OK or another ST_* (reported).
 */
int aggressor_run(struct actor *a);

#endif
