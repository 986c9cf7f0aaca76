/* SPDX-License-Identifier: Apache-2.0 */
/* Visits: rounds that measure each pair once, and the values that are kept. */
#ifndef NETBENCH_CMD_MAP_MEASURE_VISIT_H
#define NETBENCH_CMD_MAP_MEASURE_VISIT_H

#include "base/random.h"
#include "cmd/map/measure/mapping.h"

/* True if this rank has to know all meetings of a round; else its own is enough. */
bool visit_needs_all(const struct mapping *m);

/* Measures all pairs once, or random pairs in mode quick. False if the run is over. Collective. */
bool visit_all(struct mapping *m, uint32_t visit, struct rng *rng);

/* Rank 0: writes a row of a session, for struct pair_rows. */
int visit_put_row(void *session, const struct row *row);

#endif
