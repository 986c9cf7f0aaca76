/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures visits. In a visit every pair is measured once. Then measures the rounds that judging
 * requests.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_VISIT_H
#define NETBENCH_CMD_MAP_MEASURE_VISIT_H

#include "base/random.h"
#include "cmd/map/measure/mapping.h"

/*
 * Measures all pairs once, or random pairs in mode quick. Returns false if the run is over.
 * Collective.
 */
bool map_measure_visit(struct mapping *m, uint32_t visit, struct rng *rng);

/* Rank 0: writes a row to the results of a session. It is the `put` of a struct pair_rows. */
int session_put_row(void *session, const struct row *row);

/*
 * Judges m->all on rank 0, and measures the rounds that judging requests. Returns when all verdicts
 * are made (then m->judged is true) or the run is over. Collective.
 */
void measure_requested_rounds(struct mapping *m);

#endif
