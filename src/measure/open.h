/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes a session. */
#ifndef NETBENCH_MEASURE_OPEN_H
#define NETBENCH_MEASURE_OPEN_H

#include "measure/session.h"

/*
 * Opens this rank's session for a planned run in a job: endpoint, memory, clocks, and on rank 0 the
 * sink. `own_options` are the options given to this rank alone, for the record. Aborts the job on
 * failure. The caller owns the session and closes it with session_close. session_open and
 * session_close are collective.
 */
void session_open(struct session *s, const struct plan *p, struct job *job,
		  const char *own_options);
void session_close(struct session *s);

#endif
