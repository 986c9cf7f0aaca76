/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a map: --write-exclude, --fail-if, and whether anything can be judged. */
#ifndef NETBENCH_CMD_MAP_CONCLUDE_H
#define NETBENCH_CMD_MAP_CONCLUDE_H

#include "analyse/map/judge.h"
#include "cmd/map/options.h"
#include "result/report.h"

/* Reports faults of the options before anything is measured. ST_OK or ST_*. */
int map_check_options(const struct map_options *o);

/*
 * Writes the hosts to exclude, once results are written. Yields ST_FAILED if a verdict reaches a
 * limit of --fail-if. Else it yields ST_NO_VERDICT if such a verdict could have gone unseen, or if
 * nothing can be judged. Else ST_OK or ST_* (reported).
 */
int map_conclude(const struct map_options *o, const struct output_options *output,
		 const struct verdicts *all);

#endif
