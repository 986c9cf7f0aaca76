/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the JSON Schema of results: the members of every result, and the columns of all commands.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "result/columns.h"
#include "schema_lines.h"

/*
 * The lines of schema.json: the schema without the columns. Results may have members that the
 * schema does not name.
 */
static const char *const frame[] = { SCHEMA_LINES };

/*
 * Callback of json_load_callback. Copies line number *next of the frame to `to` and returns the
 * line's length.
 */
static size_t read_line(void *to, size_t room, void *next)
{
	size_t *i = next;

	return *i == LENGTH(frame) ? 0 : (size_t)snprintf(to, room, "%s", frame[(*i)++]);
}

static int run_schema(const struct settings *st, int n, char **operands)
{
	size_t next = 0;
	json_t *schema = json_load_callback(read_line, &next, 0, NULL), *cells = NULL;
	static const char *const types[] = {
		[COL_UINT] = "integer", [COL_REAL] = "number", [COL_TEXT] = "string"
	};
	int err = ST_OK;

	json_unpack(schema, "{s:{s:{s:{s:o}}}}", "properties", "rows", "items", "properties",
		    &cells);
	for (size_t i = 0; i < NCOLUMNS; i++)
		json_object_set_new(cells, columns[i].name,
				    json_pack("{s:[s, s], s:s, s:o*}", "type",
					      types[columns[i].type], "null", "description",
					      columns[i].definition, "minimum",
					      columns[i].type == COL_UINT ? json_integer(0)
									  : NULL));
	if (json_object_set_new(cells, "samples", json_pack("{ss}", "$ref", "#/$defs/samples")) ||
	    (json_dumpf(schema, stdout, JSON_INDENT(1)) && !ferror(stdout)))
		err = error_report("no memory for the schema");
	puts("");
	json_decref(schema);
	return err;
}

const struct command cmd_schema = {
	.name = "schema",
	.summary = "the JSON Schema of results",
	.tool = true,
	.run = run_schema,
};
