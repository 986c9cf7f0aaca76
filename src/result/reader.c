/* SPDX-License-Identifier: Apache-2.0 */
#include "result/reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "result/columns.h"

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

bool result_is_computed(const json_t *doc)
{
	return json_is_true(json_object_get(doc, "computed"));
}

bool result_is_emulated(const json_t *doc)
{
	return !strcmp(result_text(doc, "environment.backend.emulated"), "yes");
}

json_t *result_column(const json_t *doc, const char *name)
{
	json_t *column;
	size_t i;

	json_array_foreach(json_object_get(doc, "columns"), i, column)
		if (!strcmp(result_text(column, "name"), name))
			return column;
	return NULL;
}

bool result_has(const json_t *doc, const char *name)
{
	return result_column(doc, name) != NULL;
}

/* All members are objects, and have this one as text. */
static bool all_have(const json_t *array, const char *key)
{
	json_t *item;
	size_t i;

	json_array_foreach(array, i, item)
		if (!json_is_object(item) || (key && !json_is_string(json_object_get(item, key))))
			return false;
	return json_is_array(array);
}

static bool is_result(const json_t *doc)
{
	return !strcmp(result_text(doc, "schema"), "netbench") && *result_text(doc, "command") &&
	       json_is_object(json_object_get(doc, "options")) &&
	       json_is_object(json_object_get(doc, "environment")) &&
	       all_have(json_object_get(doc, "columns"), "name") &&
	       all_have(json_object_get(doc, "rows"), NULL);
}

/* Results of before options were renamed have their former names. */
static void rename_options(json_t *options)
{
	json_t *how = json_object_get(options, "check");

	if (how && !json_object_get(options, "verify"))
		json_object_set(options, "verify", how);
	json_object_del(options, "check");
}

/* A file that is read, and where a copy goes; NULL: nowhere. */
struct source {
	FILE *f, *copy;
};

static size_t read_on(void *buffer, size_t room, void *source)
{
	struct source *s = source;
	size_t n = fread(buffer, 1, room, s->f);

	if (s->copy)
		fwrite(buffer, 1, n, s->copy);
	return n || !ferror(s->f) ? n : (size_t)-1;
}

static int read_from(const char *path, FILE *copy, json_t **doc)
{
	const char *why;
	FILE *f = file_open(path, &why);
	struct source source = { f, copy };
	json_error_t fault;
	int err = ST_OK;

	*doc = NULL;
	if (!f)
		return error_usage("cannot read '%s': %s", path, why);
	*doc = json_load_callback(read_on, &source, 0, &fault);
	if (!*doc && ferror(f))
		err = error_usage("cannot read '%s': %s", path, strerror(errno));
	else if (!*doc)
		err = error_usage("'%s' is not JSON, or was cut short: line %d: %s", path,
				  fault.line, fault.text);
	else if (!is_result(*doc))
		err = error_usage("'%s' is not a netbench result", path);
	else if (json_integer_value(json_object_get(*doc, "schema_version")) != 1)
		err = error_usage("'%s' is a result of another version of netbench: its schema is "
				  "not 1", path);
	fclose(f);
	rename_options(json_object_get(*doc, "options"));
	if (err) {
		json_decref(*doc);
		*doc = NULL;
	}
	return err;
}

int result_read(const char *path, json_t **doc)
{
	return read_from(path, NULL, doc);
}

int result_read_bytes(const char *path, json_t **doc, char **bytes, size_t *nbytes)
{
	FILE *copy = open_memstream(bytes, nbytes);
	int err;

	*doc = NULL;
	if (!copy)
		return error_report("no memory for '%s'", path);
	err = read_from(path, copy, doc);
	if (fclose(copy) && !err)
		err = error_report("no memory for '%s'", path);
	return err;
}
