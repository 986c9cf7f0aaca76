/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends a map: writes the file of --write-exclude, checks --fail-if, and reports if nothing could be
 * judged.
 */
#ifndef NETBENCH_CMD_MAP_CONCLUDE_H
#define NETBENCH_CMD_MAP_CONCLUDE_H

#include "analyse/map/judge.h"
#include "cmd/map/options.h"
#include "result/report.h"

/*
 * Checks the options. Call it before anything is measured. Returns ST_OK or another ST_*
 * (reported).
 */
int map_check_options(const struct map_options *o);

/*
 * Writes the hosts to exclude. Call it after the results are written. Returns (with a report):
 * - ST_FAILED: a verdict reaches a limit of --fail-if.
 * - ST_NO_VERDICT: such a verdict might have been missed, or nothing can be judged.
 * - another ST_*: a fault.
 * - ST_OK: none of these (no report).
 */
int map_conclude(const struct map_options *o, const struct output_options *output,
		 const struct verdicts *all);

#endif
