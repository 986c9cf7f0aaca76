/* SPDX-License-Identifier: Apache-2.0 */
/* Results of many nights: keeps them, judges a night, says since when what is slower. */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cmd/history/add.h"

static int run_history(const struct settings *st, int n, char **operands)
{
	if (n > 2 && !strcmp(operands[0], "add"))
		return history_add(operands[1], n - 2, operands + 2);
	return error_usage("expected 'add' with a directory and results");
}

const struct command cmd_history = {
	.name = "history",
	.summary = "results of many nights: since when what is slower, and the gate of a night",
	.operands = "[add|gate] DIR [file ...]",
	.reads_operands = true,
	.output = true,
	.run = run_history,
};
