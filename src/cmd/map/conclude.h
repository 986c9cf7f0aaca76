/* SPDX-License-Identifier: Apache-2.0 */
/* What map ends with. */
#ifndef NETBENCH_CMD_MAP_CONCLUDE_H
#define NETBENCH_CMD_MAP_CONCLUDE_H

#include "analyse/map/verdicts.h"
#include "cmd/map/options.h"
#include "result/report.h"

/* Once results are written: --write-exclude, --fail-if, and 4 if nothing can be judged. ST_*. */
int map_conclude(const struct map_options *o, const struct output_options *output,
		 const struct verdicts *all);

#endif
