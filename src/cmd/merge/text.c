/* SPDX-License-Identifier: Apache-2.0 */
/* CSV and JSON lines. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/merge/merge.h"
#include "result/csv.h"

/* A number or a text as a cell; a text lives as long as v. */
static struct value cell_of(const json_t *v)
{
	if (json_is_integer(v) && json_integer_value(v) >= 0)
		return val_uint((uint64_t)json_integer_value(v));
	if (json_is_number(v))
		return val_real(json_number_value(v));
	if (json_is_string(v))
		return val_text(json_string_value(v));
	if (json_is_boolean(v))
		return val_text(json_is_true(v) ? "true" : "false");
	return (struct value){ .kind = VAL_NONE };
}

static void put_row_csv(struct out *o, const struct merged *m, json_t *row)
{
	const char *name, *before = "";
	json_t *type;

	json_object_foreach(m->columns, name, type) {
		struct value v = cell_of(json_object_get(row, name));

		out_printf(o, "%s", before);
		csv_put(o, &v);
		before = ",";
	}
	out_printf(o, "\n");
}

static void put_names(struct out *o, const struct merged *m)
{
	const char *name, *before = "";
	json_t *type;

	json_object_foreach(m->columns, name, type) {
		struct value v = val_text(name);

		out_printf(o, "%s", before);
		csv_put(o, &v);
		before = ",";
	}
	out_printf(o, "\n");
}

/* With null for the columns that the row does not have. */
static void put_row_lines(struct out *o, const struct merged *m, json_t *row)
{
	json_t *whole = json_object(), *type, *cell;
	const char *name;
	char *text;

	json_object_foreach(m->columns, name, type) {
		cell = json_object_get(row, name);
		json_object_set(whole, name, cell ? cell : json_null());
	}
	text = json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(17));
	out_printf(o, "%s\n", text ? text : "");
	o->nomem |= !text;
	free(text);
	json_decref(whole);
}

static int write_rows(struct out *o, const struct merged *m, bool lines)
{
	json_t *row;
	size_t i;
	int err = ST_OK;

	if (!lines)
		put_names(o, m);
	json_array_foreach(m->rows, i, row) {
		if (lines)
			put_row_lines(o, m, row);
		else
			put_row_csv(o, m, row);
		err = err ? err : out_commit(o, o->len);
	}
	return err ? err : out_commit(o, o->len);
}

int merge_write_text(const struct merged *m, const char *path, bool lines)
{
	struct out o;
	int err = path ? out_open_file(&o, path) : out_open_stdout(&o);

	err = err || !path ? err : out_begin(&o);
	if (err) {
		out_discard(&o);
		return err;
	}
	err = write_rows(&o, m, lines);
	return out_close(&o, !err) ? ST_FAILED : err;
}
