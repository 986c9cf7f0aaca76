/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema of results: what every result has, and the columns of all commands. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/values.h"
#include "cli/command.h"
#include "result/columns.h"

/* The beginning, all but the columns. What is not named here may be there as well. */
static const char frame[] =
"{"
"'$schema': 'https://json-schema.org/draft/2020-12/schema',"
"'$id': 'urn:netbench:result:1',"
"'title': 'A result of netbench',"
"'type': 'object',"
"'required': ['schema', 'schema_version', 'command', 'definition', 'computed', 'options',"
"  'environment', 'columns', 'rows', 'summary', 'warnings', 'status'],"
"'properties': {"
"  'schema': {'const': 'netbench'},"
"  'schema_version': {'const': 1},"
"  'command': {'$ref': '#/$defs/name'},"
"  'definition': {'type': 'string', 'pattern': '^[a-z0-9.-]+[.]v[0-9]+([+][a-z-]+)?$',"
"    'description': 'What the numbers mean; compare only results of the same definition.'},"
"  'computed': {'type': 'boolean', 'description': 'By a model or in virtual time, not measured.'},"
"  'options': {'type': 'object', 'additionalProperties': {'$ref': '#/$defs/option'}},"
"  'environment': {'$ref': '#/$defs/environment'},"
"  'columns': {'type': 'array', 'minItems': 1, 'items': {"
"    'type': 'object', 'required': ['name', 'unit', 'type', 'definition'], 'properties': {"
"      'name': {'$ref': '#/$defs/name'},"
"      'unit': {'enum': ['', 's', 'B', 'B/s', 'msg/s', 'Hz', 'cycles', 's/B']},"
"      'type': {'enum': ['integer', 'real', 'text']},"
"      'definition': {'type': 'string', 'minLength': 1}}}},"
"  'rows': {'type': 'array', 'items': {'type': 'object', 'properties': {}}},"
"  'summary': {'type': 'object', 'properties': {";

/* Members of the summary: of map and of compare of maps, of doctor, of all that judge. */
static const char summaries[] =
"  'verdicts': {'type': 'array', 'items': {'$ref': '#/$defs/verdict'}},"
"  'judged': {'type': 'array', 'items': {"
"    'type': 'object', 'required': ['quantity', 'least_effect'], 'properties': {"
"      'quantity': {'$ref': '#/$defs/quantity'}, 'class': {'type': 'string'},"
"      'least_effect': {'type': ['number', 'null']},"
"      'least_pair_effect': {'type': ['number', 'null']}, 'noise': {'type': ['number', 'null']},"
"      'slower': {'$ref': '#/$defs/numbers'}, 'slower_s': {'$ref': '#/$defs/numbers'},"
"      'no_verdict': {'type': 'string'}}}},"
"  'network': {'type': 'array', 'items': {'$ref': '#/$defs/change'}},"
"  'changes': {'type': 'array', 'items': {'allOf': [{'$ref': '#/$defs/change'}],"
"    'required': ['kind', 'subject', 'confidence', 'text']}},"
"  'verdicts_new': {'type': 'array', 'items': {'$ref': '#/$defs/verdict'}},"
"  'verdicts_gone': {'type': 'array', 'items': {'$ref': '#/$defs/verdict'}},"
"  'verdicts_still': {'type': 'array', 'items': {"
"    'type': 'array', 'minItems': 2, 'maxItems': 2, 'items': {'$ref': '#/$defs/verdict'}}},"
"  'wrong': {'type': 'integer', 'minimum': 0, 'description': 'How many findings are wrong.'},"
"  'notes': {'type': 'integer', 'minimum': 0},"
"  'choices': {'type': 'array', 'items': {"
"    'description': 'Of doctor: which backend would be used, where, and why.',"
"    'type': 'object', 'required': ['where', 'backend', 'why'], 'properties': {"
"      'where': {'type': 'string'}, 'backend': {'$ref': '#/$defs/name'},"
"      'why': {'type': 'string'}}}},"
"  'links': {'type': 'object', 'additionalProperties': {'$ref': '#/$defs/link'}},"
"  'machines': {'type': 'object'},"
"  'findings': {'type': 'array', 'items': {'$ref': '#/$defs/finding'}}";

/* What stands between the summary and the definitions. */
static const char behind[] =
"  }},"
"  'warnings': {'type': 'array', 'items': {'type': 'string'}},"
"  'runs': {'description': 'Of runs: each run of a command line, whole.',"
"    'type': 'array', 'items': {'type': 'object',"
"      'required': ['command', 'block', 'place', 'counted', 'start', 'seconds', 'exit_status',"
"        'document'], 'properties': {"
"        'command': {'$ref': '#/$defs/count'}, 'block': {'$ref': '#/$defs/count'},"
"        'place': {'$ref': '#/$defs/count'}, 'counted': {'type': 'boolean'},"
"        'start': {'type': 'string'}, 'seconds': {'type': 'number', 'minimum': 0},"
"        'exit_status': {'type': 'integer'},"
"        'document': {'anyOf': [{'$ref': '#'}, {'type': 'null'}]}}}},"
"  'status': {'enum': ['complete', 'incomplete', 'interrupted', 'failed']}"
"},"
"'$defs': {";

/* Definitions of what every result has. */
static const char definitions[] =
"  'name': {'type': 'string', 'pattern': '^[A-Za-z0-9_.-]+$'},"
"  'text': {'type': ['string', 'null']},"
"  'count': {'type': ['integer', 'null'], 'minimum': 0},"
"  'option': {'type': ['string', 'number', 'boolean', 'null', 'array'],"
"    'items': {'type': ['string', 'number']}},"
"  'texts': {'type': 'object', 'additionalProperties': {'$ref': '#/$defs/text'}},"
"  'samples': {'type': 'object', 'additionalProperties': {'type': 'array'},"
"    'description': 'Of single repetitions, with --samples; of map: of each visit.'},"
"  'environment': {"
"    'type': 'object', 'required': ['netbench', 'time'], 'properties': {"
"      'netbench': {'allOf': [{'$ref': '#/$defs/texts'}], 'required': ['version']},"
"      'run': {'type': 'object', 'required': ['id'], 'properties': {"
"        'id': {'type': ['string', 'null'], 'pattern': '^[0-9a-f-]{36}$'}}},"
"      'time': {'type': 'object', 'required': ['start'], 'properties': {"
"        'start': {'type': 'string',"
"          'pattern': '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$'}}},"
"      'host': {'$ref': '#/$defs/texts'},"
"      'kernel': {'type': 'object'}, 'cpu': {'type': 'object'}, 'memory': {'type': 'object'},"
"      'sysctl': {'type': 'object',"
"        'additionalProperties': {'type': ['string', 'number', 'null']}},"
"      'network': {'type': 'object'}, 'clock': {'$ref': '#/$defs/texts'},"
"      'load': {'type': 'object', 'additionalProperties': {'type': ['number', 'null']}},"
"      'limits': {'type': 'object', 'additionalProperties': {'anyOf': ["
"        {'$ref': '#/$defs/count'}, {'const': 'unlimited'}]}},"
"      'backend': {'type': 'object', 'required': ['name'], 'properties': {"
"        'name': {'$ref': '#/$defs/name'}}},"
"      'job': {'type': 'object', 'required': ['name'], 'properties': {"
"        'name': {'$ref': '#/$defs/name'}}},"
"      'timer': {'type': 'object', 'required': ['name']},"
"      'sync': {'type': 'object', 'required': ['scheme']},"
"      'nranks': {'type': 'integer', 'minimum': 1},"
"      'ranks': {'type': 'array', 'items': {"
"        'type': 'object', 'required': ['rank', 'host'], 'properties': {"
"          'rank': {'$ref': '#/$defs/count'}, 'host': {'type': 'string'},"
"          'pid': {'$ref': '#/$defs/count'}, 'cpu': {'$ref': '#/$defs/count'},"
"          'cpus': {'$ref': '#/$defs/count'}, 'bound': {'$ref': '#/$defs/count'},"
"          'core': {'$ref': '#/$defs/count'}, 'numa': {'$ref': '#/$defs/count'},"
"          'own_options': {'type': 'string'}}}}"
"    }},";

/* Definitions for the summaries. */
static const char judgements[] =
"  'quantity': {'enum': ['bandwidth', 'latency']},"
"  'numbers': {'type': 'object', 'additionalProperties': {'type': ['number', 'null']}},"
"  'subject': {'type': ['string', 'array'], 'minItems': 2, 'items': {'type': 'string'},"
"    'description': 'A host; the two of a pair, sender first; or the members of a group.'},"
"  'kind': {'enum': ['host', 'host_send', 'host_receive', 'pair', 'direction', 'group',"
"    'unsteady', 'unreachable']},"
"  'verdict': {"
"    'description': 'Of map: a host, a pair or a group that is slower than its peers.',"
"    'type': 'object', 'required': ['kind', 'subject', 'quantity', 'confidence', 'persistence',"
"      'evidence', 'text'], 'properties': {"
"      'kind': {'$ref': '#/$defs/kind'}, 'subject': {'$ref': '#/$defs/subject'},"
"      'quantity': {'$ref': '#/$defs/quantity'}, 'class': {'type': 'string'},"
"      'effect': {'type': ['number', 'null'], 'exclusiveMaximum': 1},"
"      'effect_s': {'type': ['number', 'null']},"
"      'lo': {'type': ['number', 'null']}, 'hi': {'type': ['number', 'null']},"
"      'share': {'type': 'number', 'minimum': 0, 'maximum': 1},"
"      'confidence': {'enum': ['certain', 'probable', 'ambiguous']},"
"      'persistence': {'enum': ['persistent', 'transient', 'untested']},"
"      'or': {'type': 'object', 'required': ['kind', 'subject']},"
"      'evidence': {'type': 'array'}, 'text': {'type': 'string', 'minLength': 1}}},"
"  'change': {"
"    'description': 'Between two maps: by how much something has changed, B/A.',"
"    'type': 'object', 'required': ['quantity', 'ratio', 'ratio_lo', 'ratio_hi', 'verdict'],"
"    'properties': {"
"      'kind': {'$ref': '#/$defs/kind'}, 'subject': {'$ref': '#/$defs/subject'},"
"      'quantity': {'$ref': '#/$defs/quantity'}, 'ratio': {'type': ['number', 'null']},"
"      'ratio_lo': {'type': ['number', 'null']}, 'ratio_hi': {'type': ['number', 'null']},"
"      'ratio_beside': {'type': ['number', 'null']},"
"      'verdict': {'enum': ['faster', 'slower', 'no difference seen', null]},"
"      'text': {'type': 'string', 'minLength': 1}}},"
"  'link': {'type': 'object', 'required': ['facts', 'counters'], 'properties': {"
"    'facts': {'type': 'object'},"
"    'counters': {'type': 'object', 'additionalProperties': {'$ref': '#/$defs/count'}}}},"
"  'finding': {"
"    'description': 'What judging has found of a point, a requirement, a host.',"
"    'type': 'object', 'required': ['kind', 'quantity', 'effect', 'lo', 'hi', 'unit', 'verdict',"
"      'text'], 'properties': {"
"      'kind': {'$ref': '#/$defs/name'}, 'subject': {'$ref': '#/$defs/text'},"
"      'quantity': {'type': 'string'}, 'unit': {'type': 'string',"
"        'description': 'Of the effect; empty: a share, 0.3 is 30 %.'},"
"      'effect': {'type': ['number', 'null']},"
"      'lo': {'type': ['number', 'null']}, 'hi': {'type': ['number', 'null']},"
"      'verdict': {'enum': ['yes', 'no', 'cannot tell'],"
"        'description': 'Whether what the kind says is so.'},"
"      'why': {'type': ['string', 'null'], 'description': 'What is missing for a verdict.'},"
"      'text': {'type': 'string'}, 'advice': {'type': 'string'},"
"      'evidence': {'type': ['object', 'null']}}}"
"}}";

/* The schema without its columns; its texts have single quotes for double ones. NULL: no memory. */
static json_t *read_frame(void)
{
	char *text = NULL;
	json_t *schema;

	if (asprintf(&text, "%s%s%s%s%s", frame, summaries, behind, definitions, judgements) < 0)
		return NULL;
	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	schema = json_loads(text, 0, NULL);
	free(text);
	return schema;
}

static int run_schema(const struct settings *st, int n, char **operands)
{
	json_t *schema = read_frame(), *cells = schema;
	static const char *const types[] = {
		[COL_UINT] = "integer", [COL_REAL] = "number", [COL_TEXT] = "string"
	};
	static const char *const path[] = { "properties", "rows", "items", "properties" };
	int err = ST_OK;

	(void)st, (void)n, (void)operands;
	for (size_t i = 0; i < LENGTH(path); i++)
		cells = json_object_get(cells, path[i]);
	for (size_t i = 0; i < NCOLUMNS; i++)
		json_object_set_new(cells, columns[i].name,
				    json_pack("{s:[s, s], s:s, s:o*}", "type",
					      types[columns[i].type], "null", "description",
					      columns[i].definition, "minimum",
					      columns[i].type == COL_UINT ? json_integer(0)
									  : NULL));
	if (json_object_set_new(cells, "samples", json_pack("{ss}", "$ref", "#/$defs/samples")))
		err = error_report("no memory for the schema");
	else if (json_dumpf(schema, stdout, JSON_INDENT(1)) && !ferror(stdout))
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
