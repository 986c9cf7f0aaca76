/* SPDX-License-Identifier: Apache-2.0 */
#include "result/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/values.h"

json_t *result_at(const json_t *v, const char *path)
{
	size_t len = strcspn(path, ".");
	char name[64];
	json_t *member;

	snprintf(name, sizeof(name), "%.*s", (int)len, path);
	member = json_object_get(v, name);
	return path[len] ? result_at(member, path + len + 1) : member;
}

const char *result_text(const json_t *v, const char *path)
{
	const char *text = json_string_value(result_at(v, path));

	return text ? text : "";
}

double result_number(const json_t *v, const char *path)
{
	const json_t *number = result_at(v, path);

	return json_is_number(number) ? json_number_value(number) : NAN;
}

double result_part(const json_t *row, const char *column, const char *part)
{
	char name[80];

	column_part(name, sizeof(name), column, part);
	return result_number(row, name);
}

json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

char *join_list(const json_t *list, const char *between)
{
	char *text = NULL;
	size_t i;
	FILE *to = text_open(&text);
	const json_t *one;

	json_array_foreach(list, i, one) {
		fputs(i ? between : "", to);
		if (json_is_string(one))
			fputs(json_string_value(one), to);
		else
			json_dumpf(one, to, JSON_COMPACT | JSON_ENCODE_ANY);
	}
	return memory_or_exit(text_close(to, &text));
}

#define PART(name)                                                                                 \
	json_t *document_##name(const json_t *doc)                                                 \
	{                                                                                          \
		return json_object_get(doc, #name);                                                \
	}

PART(options)
PART(environment)
PART(columns)
PART(rows)
PART(summary)
PART(warnings)
PART(runs)

#define WORD(name)                                                                                 \
	const char *document_##name(const json_t *doc)                                             \
	{                                                                                          \
		return result_text(doc, #name);                                                    \
	}

WORD(command)
WORD(definition)
WORD(status)

json_t *document_option(const json_t *doc, const char *name)
{
	return json_object_get(document_options(doc), name);
}

json_t *row_cell(const json_t *row, enum column_id id)
{
	return json_object_get(row, columns[id].name);
}

double row_number(const json_t *row, enum column_id id)
{
	return result_number(row, columns[id].name);
}

const char *row_text(const json_t *row, enum column_id id)
{
	return result_text(row, columns[id].name);
}

bool row_is_gap(const json_t *row)
{
	return !strncmp(row_text(row, COL_NOTE), ROW_GAP, strlen(ROW_GAP));
}

struct value row_value(const json_t *row, enum column_id id)
{
	const json_t *v = row_cell(row, id);

	if (json_is_string(v) && columns[id].type == COL_TEXT)
		return val_text(json_string_value(v));
	if (json_is_integer(v) && json_integer_value(v) >= 0 && columns[id].type == COL_UINT)
		return val_uint((uint64_t)json_integer_value(v));
	if (json_is_number(v) && columns[id].type == COL_REAL)
		return val_real(json_number_value(v));
	return (struct value){ .kind = VAL_NONE };
}

json_t *row_samples(const json_t *row)
{
	return json_object_get(row, "samples");
}

bool result_is_computed(const json_t *doc)
{
	return json_is_true(json_object_get(doc, "computed"));
}

bool result_is_emulated(const json_t *doc)
{
	return !strcmp(result_text(doc, "environment.backend.emulated"), "yes");
}

int result_sim_definition(const json_t *doc)
{
	const json_t *said = result_at(doc, "environment.backend.sim_definition");
	const char *method = result_text(doc, "environment.backend.method");

	if (json_is_integer(said))
		return (int)json_integer_value(said);
	return !strcmp(result_text(doc, "environment.backend.name"), "sim") &&
	       !strncmp(method, "LogGP ", strlen("LogGP "));
}

json_t *result_column(const json_t *doc, const char *name)
{
	json_t *column;
	size_t i;

	json_array_foreach(document_columns(doc), i, column)
		if (!strcmp(result_text(column, "name"), name))
			return column;
	return NULL;
}

bool result_has(const json_t *doc, const char *name)
{
	return result_column(doc, name) != NULL;
}

bool result_is_comparison(const json_t *doc)
{
	const char *command = document_command(doc);

	return !strcmp(command, "compare") ||
	       (!strcmp(command, "runs") && result_has(doc, columns[COL_COMPARED_RATIO].name));
}

double result_parse_time(const char *text)
{
	struct tm t = { 0 };
	double seconds;

	if (sscanf(text, "%d-%d-%dT%d:%d:%lf", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour,
		   &t.tm_min, &seconds) != 6)
		return NAN;
	t.tm_year -= 1900;
	t.tm_mon--;
	return (double)timegm(&t) + seconds;
}

double result_start_time(const json_t *doc)
{
	return result_parse_time(result_text(doc, "environment.time.start"));
}
