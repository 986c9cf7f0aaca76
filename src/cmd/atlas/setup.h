/* SPDX-License-Identifier: Apache-2.0 */
/* From options to set-ups, and from these to specs. */
#ifndef NETBENCH_CMD_ATLAS_SETUP_H
#define NETBENCH_CMD_ATLAS_SETUP_H

#include "cmd/atlas/types.h"

/* The benchmarks of the note. */
#define ATLAS_ROWS 10
extern const struct atlas atlas_rows[ATLAS_ROWS];

/* For struct benchmark, whose `detail` is its row, NULL for all rows. */
int atlas_plan(struct plan *p);

#endif
