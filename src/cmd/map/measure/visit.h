/* SPDX-License-Identifier: Apache-2.0 */
/* Visits: the rounds in which each pair is measured once, and what is kept of them. */
#ifndef NETBENCH_CMD_MAP_MEASURE_VISIT_H
#define NETBENCH_CMD_MAP_MEASURE_VISIT_H

#include "base/random.h"
#include "cmd/map/measure/mapping.h"

/* Whether this rank has to know all meetings of a round, or its own alone. */
bool visit_needs_all(const struct mapping *m);

/* All pairs once, or those of mode quick, by the seed. False if the run is over. Collective. */
bool visit_all(struct mapping *m, uint32_t visit, struct rng *rng);

/* Rank 0: for struct pair_rows, with the session. */
int visit_put_row(void *session, const struct row *row);

#endif
