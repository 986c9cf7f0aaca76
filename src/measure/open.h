/* SPDX-License-Identifier: Apache-2.0 */
/* Opening and closing a session. */
#ifndef NETBENCH_MEASURE_OPEN_H
#define NETBENCH_MEASURE_OPEN_H

#include "measure/session.h"

/*
 * Opens this rank's side of a planned run in a job: endpoint, memory, clocks, and on rank 0 the
 * sink. `own_options` are those that this rank alone was given, for the record. Collective. Aborts
 * the job if it cannot be. The session belongs to the caller, who closes it with session_close;
 * both are called on all ranks.
 */
void session_open(struct session *s, const struct plan *p, struct job *job,
		  const char *own_options);
void session_close(struct session *s);

#endif
