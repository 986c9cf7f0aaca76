/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/here.h"

#include <stdio.h>
#include <stdlib.h>

#include "options/arguments.h"
#include "transport/registry.h"

struct here backend_here(const char *name)
{
	struct arguments args = { 0 };
	char *line[] = { NULL, NULL };
	struct opt_table table;
	struct here l;

	l.be = backend_find(name, l.why, sizeof(l.why));
	if (!l.be)
		return l;
	table = (struct opt_table){ name, l.be->options, calloc(1, l.be->options_size + 1), NULL };
	if (!table.values || (table.opts && (arguments_read(&args, 1, line, &table, 1) ||
					     arguments_bind(&args, &table, 1, NULL))))
		snprintf(l.why, sizeof(l.why), "its options have no defaults");
	else
		backend_probe(l.be, table.opts ? table.values : NULL, l.why, sizeof(l.why));
	arguments_free(&args);
	free(table.values);
	return l;
}
