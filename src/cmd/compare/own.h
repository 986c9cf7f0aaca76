/* SPDX-License-Identifier: Apache-2.0 */
/* Results of commands that compare them by themselves. */
#ifndef NETBENCH_CMD_COMPARE_OWN_H
#define NETBENCH_CMD_COMPARE_OWN_H

#include "analyse/compare/sums.h"
#include "cli/comparison.h"
#include "measure/plan/settings.h"

/*
 * Compares two results as their command does; `measure`: what --measure names, or NULL. Reports and
 * judges. ST_OK or an exit status.
 */
int compare_own(const struct settings *st, const struct compared *all, const struct comparer *by,
		const char *measure, const struct fail_if *fail);

#endif
