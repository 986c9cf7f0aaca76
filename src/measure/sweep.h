/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a whole plan on one rank: measures the plan's specs, and records disturbances during the
 * run.
 */
#ifndef NETBENCH_MEASURE_SWEEP_H
#define NETBENCH_MEASURE_SWEEP_H

#include "measure/measure.h"

/*
 * Runs a plan on this rank of a job: opens the session, measures, and concludes. Collective.
 * Returns the exit status on rank 0, and ST_OK on other ranks. The run fails if content was wrong
 * or an outlet could not be written. Aborts the job if a transfer fails. `own_options`: see
 * session_open.
 */
int sweep_run(const struct plan *p, struct job *job, const char *own_options);

/*
 * Measures all specs of the plan in order and writes a row for each, until the run is over. With
 * --visits, the points are visited in random orders. The row of a point is then written when this
 * point and all points before it are complete. Collective.
 */
void sweep_plan(struct session *s);

/*
 * Like sweep_plan, but measures these n specs. Each must need no more memory than some spec of the
 * plan.
 */
void sweep_specs(struct session *s, const struct spec *specs, size_t n);

/*
 * Measures a spec and writes a row for it. If the spec cannot be measured, the row says why.
 * Collective. Returns whether the run continues, the same on all ranks.
 */
bool sweep_spec(struct session *s, const struct spec *spec);

/*
 * Like sweep_spec, but writes no row: for benchmarks that make a row from several specs. Returns
 * true if the spec was measured; false if the run is over or the spec cannot be measured. The
 * caller frees `res`.
 */
bool sweep_measure(struct session *s, const struct spec *spec, struct result *res);

#endif
