/* SPDX-License-Identifier: Apache-2.0 */
#include "result/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read/saved.h"
#include "base/values.h"
#include "result/columns.h"
#include "result/document.h"
#include "result/foreign/hpcc.h"

#define HOSTS_SHOWN 16

char *result_hosts(const json_t *environment, size_t *n)
{
	json_t *hosts = json_object(), *v;
	const char *name;
	char *text = NULL;
	size_t i, shown = 0;
	FILE *to = text_open(&text);

	json_array_foreach(result_at(environment, "ranks"), i, v)
		json_object_set_new(hosts, result_text(v, "host"), json_true());
	json_object_del(hosts, "");
	*n = json_object_size(hosts);
	if (!*n)
		fputs(result_text(environment, "host.name"), to);
	json_object_foreach(hosts, name, v)
		if (shown++ < HOSTS_SHOWN)
			fprintf(to, "%s%s", shown > 1 ? " " : "", name);
	if (*n > HOSTS_SHOWN)
		fprintf(to, " and %zu more", *n - HOSTS_SHOWN);
	json_decref(hosts);
	return memory_or_exit(text_close(to, &text));
}

/*
 * True if `array` is an array of objects. If `key` is not NULL, all of them must have a text member
 * of that name.
 */
static bool all_are_objects_with(const json_t *array, const char *key)
{
	json_t *item;
	size_t i;

	json_array_foreach(array, i, item)
		if (!json_is_object(item) || (key && !json_is_string(json_object_get(item, key))))
			return false;
	return json_is_array(array);
}

/* True if a document has all members of a result. */
static bool is_result(const json_t *doc)
{
	return !strcmp(result_text(doc, "schema"), "netbench") && *document_command(doc) &&
	       json_is_object(document_options(doc)) &&
	       json_is_object(document_environment(doc)) &&
	       all_are_objects_with(document_columns(doc), "name") &&
	       all_are_objects_with(document_rows(doc), NULL);
}

/* Converts a cell of CSV to the type of its column. Returns a new reference. */
static json_t *convert_cell(const struct column *c, json_t *cell)
{
	const char *text = json_string_value(cell);
	char *end;
	double r;

	if (!text || c->type == COL_TEXT)
		return json_incref(cell);
	if (c->type == COL_UINT && text[strspn(text, "0123456789")] == '\0' && strlen(text) < 19)
		return json_integer(strtoll(text, NULL, 10));
	r = strtod(text, &end);
	return *end || !isfinite(r) ? json_incref(cell) : json_real(r);
}

/*
 * Gives a column of a result its present name, unless the result also has a column of that name.
 * Returns the former name; NULL: the name is unchanged.
 */
static const char *rename_column(const json_t *doc, json_t *column)
{
	const char *now = column_new_name(result_text(column, "name"));

	if (!strcmp(now, result_text(column, "name")) || result_has(doc, now))
		return NULL;
	json_object_set_new(column, "name", json_string(now));
	return column_old_name(now);
}

/*
 * Completes the columns of a result from the table of columns (columns.h). Sets *known to a list of
 * those columns that the table contains.
 */
static int complete_columns(json_t *doc, struct result_known **known)
{
	json_t *list = document_columns(doc), *column;
	struct result_known *k = *known = calloc(json_array_size(list) + 1, sizeof(*k));
	size_t i;

	if (!k)
		return error_report("no memory for columns");
	json_array_foreach(list, i, column) {
		const char *former = rename_column(doc, column);
		const struct column *c = column_find(result_text(column, "name"));

		if (!c)
			continue;
		*k++ = (struct result_known){ c, !json_object_get(column, "type"), former };
		if (!k[-1].untyped)
			continue;
		json_object_set_new(column, "unit", json_string(c->unit));
		json_object_set_new(column, "type", json_string(column_type_names[c->type]));
		json_object_set_new(column, "definition", json_string(c->definition));
	}
	return ST_OK;
}

/*
 * Renames a member of `of`, a cell or a list of samples, from the former to the present name of its
 * column.
 */
static void rename_cell(json_t *of, const struct result_known *known)
{
	json_t *cell = json_object_get(of, known->former);

	if (cell)
		json_object_set(of, known->column->name, cell);
	json_object_del(of, known->former);
}

int result_check_row(const char *path, const struct result_known *known, size_t number, json_t *row)
{
	if (!json_is_object(row))
		return error_usage("'%s' is not a netbench result", path);
	for (; known->column; known++) {
		const struct column *c = known->column;
		json_t *cell;

		if (known->former) {
			rename_cell(row, known);
			rename_cell(row_samples(row), known);
		}
		if (known->untyped)
			json_object_set_new(row, c->name,
					    convert_cell(c, json_object_get(row, c->name)));
		cell = c->type == COL_UINT ? json_object_get(row, c->name) : NULL;
		if (json_is_number(cell) && json_number_value(cell) < 0)
			return error_usage("'%s' has a negative %s in row %zu: %.17g", path,
					   c->name, number, json_number_value(cell));
	}
	return ST_OK;
}

int result_check_head(const char *path, json_t *doc, struct result_known **known)
{
	*known = NULL;
	if (!is_result(doc))
		return error_usage("'%s' is not a netbench result", path);
	if (json_integer_value(json_object_get(doc, "schema_version")) != 1)
		return error_usage("'%s' is a result of another version of netbench: its schema is "
				   "not 1", path);
	/* in older results the option --verify has its former name, check */
	if (document_option(doc, "check") && !document_option(doc, "verify"))
		json_object_set(document_options(doc), "verify", document_option(doc, "check"));
	json_object_del(document_options(doc), "check");
	return complete_columns(doc, known);
}

int result_check(const char *path, json_t *doc)
{
	struct result_known *known;
	int err = result_check_head(path, doc, &known);
	json_t *row;
	size_t i;

	json_array_foreach(document_rows(doc), i, row)
		if (!err)
			err = result_check_row(path, known, i + 1, row);
	free(known);
	return err;
}

int result_parse(const char *path, char *bytes, size_t n, json_t **doc)
{
	int err = hpcc_has_table(bytes) ? hpcc_parse(path, bytes, doc)
					: saved_parse(path, bytes, n, doc);

	if (!err)
		err = result_check(path, *doc);
	if (err) {
		json_decref(*doc);
		*doc = NULL;
	}
	return err;
}

int result_read_bytes(const char *path, json_t **doc, char **bytes, size_t *nbytes)
{
	char *content;
	size_t n;
	int err = saved_load(path, &content, &n);

	*doc = NULL;
	if (!err)
		err = result_parse(path, content, n, doc);
	if (bytes) {
		*bytes = err ? NULL : content;
		*nbytes = n;
	}
	if (err || !bytes)
		free(content);
	return err;
}

int result_read(const char *path, json_t **doc)
{
	return result_read_bytes(path, doc, NULL, NULL);
}

bool result_has_verdict(const json_t *summary, const json_t *judged)
{
	json_t *v;
	size_t i;

	json_array_foreach(json_object_get(summary, "verdicts"), i, v)
		if (!strcmp(result_text(v, "quantity"), result_text(judged, "quantity")) &&
		    !strcmp(result_text(v, "class"), result_text(judged, "class")))
			return true;
	return false;
}

struct text judged_quantity(const json_t *of)
{
	const char *class = result_text(of, "class");

	return text_from("%s%s%s", result_text(of, "quantity"), *class ? ", class " : "", class);
}

struct text least_effects(double host, double pair)
{
	struct text to = { .n = 0 };

	if (!isnan(host))
		text_add(&to, "no host differs by more than %s %%", plain(100 * host, 2).s);
	if (to.n && !isnan(pair))
		text_add(&to, ", no pair by more than %s %%", plain(100 * pair, 2).s);
	return to;
}
