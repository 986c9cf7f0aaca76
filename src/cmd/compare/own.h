/* SPDX-License-Identifier: Apache-2.0 */
/* Compares results of commands that have their own comparison. */
#ifndef NETBENCH_CMD_COMPARE_OWN_H
#define NETBENCH_CMD_COMPARE_OWN_H

#include "analyse/compare/sums.h"
#include "cli/comparison.h"
#include "measure/plan/settings.h"

/*
 * Compares two results with `by`, the comparison of their command. Reports the changes and judges
 * them. `measure` is the value of --measure, or NULL. Returns ST_OK or an exit status.
 */
int compare_own(const struct settings *st, const struct compared *all, const struct comparer *by,
		const char *measure, const struct fail_if *fail);

#endif
