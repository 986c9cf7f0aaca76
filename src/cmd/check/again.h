/* SPDX-License-Identifier: Apache-2.0 */
/* check --runs: whole runs of check anew, and the verdict of their medians. */
#ifndef NETBENCH_CMD_CHECK_AGAIN_H
#define NETBENCH_CMD_CHECK_AGAIN_H

#include <stdbool.h>

#include "measure/plan/settings.h"

/* Whether the options ask for that. */
bool check_has_runs(const struct settings *st);

/* Runs check so many times as processes of their own. Returns the exit status. */
int check_again(const struct settings *st, int noperands, char **operands);

#endif
