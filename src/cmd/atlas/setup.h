/* SPDX-License-Identifier: Apache-2.0 */
/* Makes set-ups from options, and specs from set-ups. */
#ifndef NETBENCH_CMD_ATLAS_SETUP_H
#define NETBENCH_CMD_ATLAS_SETUP_H

#include "cmd/atlas/types.h"

/* Number of benchmarks in the note. */
#define ATLAS_ROWS 10
extern const struct atlas atlas_rows[ATLAS_ROWS];

/*
 * Hook `plan` of struct benchmark. The benchmark's `detail` is its row in atlas_rows; NULL: all
 * rows.
 */
int atlas_plan(struct plan *p);

#endif
