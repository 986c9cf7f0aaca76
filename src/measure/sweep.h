/* SPDX-License-Identifier: Apache-2.0 */
/* A whole run on one rank: the walk over the plan, and what is looked at before and after it. */
#ifndef NETBENCH_MEASURE_SWEEP_H
#define NETBENCH_MEASURE_SWEEP_H

#include "measure/measure.h"

/*
 * Runs a plan in a job on this rank: opens the session, measures, concludes. Collective. Returns
 * the exit status on rank 0 (failed if content was wrong or a sink could not be written), ST_OK on
 * the others; aborts the job if a transfer fails. `own_options` as of session_open.
 */
int sweep_run(const struct plan *p, struct job *job, const char *own_options);

/*
 * Measures all specs of the plan in their order, each with its row, until the run is over; with
 * --visits in random orders, a row as soon as it and all before it are complete. Collective.
 */
void sweep_walk(struct session *s);

/* The same with specs of the benchmark's own in place of the plan's, as many. */
void sweep_specs(struct session *s, const struct spec *specs);

/*
 * Measures a spec and writes its row, or one that says why it cannot be measured. Collective.
 * Returns whether the run goes on, the same on all ranks.
 */
bool sweep_spec(struct session *s, const struct spec *spec);

/*
 * The same without a row: for benchmarks whose rows are of more than one spec. True if `res`, which
 * the caller frees, has been measured; false if the run is over, or the spec cannot be measured.
 */
bool sweep_measure(struct session *s, const struct spec *spec, struct result *res);

#endif
