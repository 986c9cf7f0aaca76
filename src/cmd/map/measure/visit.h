/* SPDX-License-Identifier: Apache-2.0 */
/* Visits: rounds that measure each pair once, and the rounds that judging asks for after them. */
#ifndef NETBENCH_CMD_MAP_MEASURE_VISIT_H
#define NETBENCH_CMD_MAP_MEASURE_VISIT_H

#include "base/random.h"
#include "cmd/map/measure/mapping.h"

/* Measures all pairs once, or random pairs in mode quick. False if the run is over. Collective. */
bool visit_all(struct mapping *m, uint32_t visit, struct rng *rng);

/* Rank 0: writes a row of a session, for struct pair_rows. */
int visit_put_row(void *session, const struct row *row);

/*
 * Judges m->all on rank 0, and measures the rounds that judging asks for. Ends with all verdicts
 * (m->judged), or if the run is over. Collective.
 */
void again_all(struct mapping *m);

#endif
