/* SPDX-License-Identifier: Apache-2.0 */
/* check --runs: runs check several times and judges the medians over the runs. */
#ifndef NETBENCH_CMD_CHECK_AGAIN_H
#define NETBENCH_CMD_CHECK_AGAIN_H

#include <stdbool.h>

#include "measure/plan/settings.h"

/* Returns whether the options ask for several runs. */
bool check_has_runs(const struct settings *st);

/*
 * Runs check as often as --runs says, each time in new processes, and judges the medians. Returns
 * the exit status.
 */
int check_in_runs(const struct settings *st, int noperands, char **operands);

#endif
