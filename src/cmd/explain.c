/* SPDX-License-Identifier: Apache-2.0 */
/* What a column means. */
#include <stdio.h>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "result/columns.h"

static const char *column_at(size_t i, void *arg)
{
	(void)arg;
	return i < NCOLUMNS ? columns[i].name : NULL;
}

static int explain(const char *name)
{
	const struct column *c = column_find(name);
	const char *near;

	if (c) {
		printf("%s (unit: %s)\n%s\n", c->name, c->unit[0] ? c->unit : "none",
		       c->definition);
		return ST_OK;
	}
	near = suggest(name, column_at, NULL);
	if (near)
		return error_usage("unknown column '%s', did you mean '%s'?", name, near);
	return error_usage("unknown column '%s'; 'netbench explain' lists them", name);
}

static int run(const struct settings *st, int n, char **names)
{
	int err = ST_OK;

	(void)st;
	for (size_t i = 0; i < NCOLUMNS && !n; i++)
		printf("%-22s %-6s %s\n", columns[i].name, columns[i].unit, columns[i].head);
	for (int i = 0; i < n && !err; i++)
		err = explain(names[i]);
	return err;
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "what a column of the results means",
	.operands = "[column ...]",
	.run = run,
};
