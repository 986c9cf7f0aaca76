/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures visits, whose rounds measure each pair once, and after them the rounds that judging
 * requests.
 */
#ifndef NETBENCH_CMD_MAP_MEASURE_VISIT_H
#define NETBENCH_CMD_MAP_MEASURE_VISIT_H

#include "base/random.h"
#include "cmd/map/measure/mapping.h"

/* Measures all pairs once, or random pairs in mode quick. False if the run is over. Collective. */
bool map_measure_visit(struct mapping *m, uint32_t visit, struct rng *rng);

/* Rank 0: writes a row of a session; for `put` of struct pair_rows. */
int session_put_row(void *session, const struct row *row);

/*
 * Judges m->all on rank 0, and measures the rounds that judging requests. Returns once all verdicts
 * are made (m->judged), or if the run is over. Collective.
 */
void measure_requested_rounds(struct mapping *m);

#endif
