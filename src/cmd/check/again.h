/* SPDX-License-Identifier: Apache-2.0 */
/* check --runs: runs check several times and judges the medians over the runs. */
#ifndef NETBENCH_CMD_CHECK_AGAIN_H
#define NETBENCH_CMD_CHECK_AGAIN_H

#include <stdbool.h>

#include "measure/plan/settings.h"

/* Whether the options ask for several runs. */
bool check_has_runs(const struct settings *st);

/*
 * Runs check --runs times, each time in processes of its own, and judges the medians. Returns the
 * exit status.
 */
int check_in_runs(const struct settings *st, int noperands, char **operands);

#endif
