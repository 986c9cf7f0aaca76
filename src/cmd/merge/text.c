/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a table as CSV or as JSON lines. */
#include "cmd/merge/text.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/read/csv.h"
#include "base/values.h"
#include "result/csv.h"

/* Makes a cell from a JSON value v. The text of a cell stays owned by v. */
static struct value cell_from_json(const json_t *v)
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

/*
 * Writes the cells of a row, or the names of the columns if `row` is NULL. A text that a
 * spreadsheet would take for a formula gets a leading apostrophe, unless it is a number. csv_each
 * removes the apostrophe.
 */
static void put_row_csv(struct out *o, const struct merged *m, const json_t *row)
{
	const char *name, *before = "";
	json_t *type;
	double number;

	json_object_foreach(m->columns, name, type) {
		struct value v = row ? cell_from_json(json_object_get(row, name)) : val_text(name);
		char *guarded = NULL;

		out_printf(o, "%s", before);
		before = ",";
		if (v.kind == VAL_TEXT && csv_is_formula(v.t) && scan_real(v.t, &number) != V_OK) {
			if (asprintf(&guarded, "'%s", v.t) < 0)
				guarded = NULL;
			v = val_text(memory_or_exit(guarded));
		}
		csv_put(o, &v);
		free(guarded);
	}
	out_printf(o, "\n");
}

/* The destination of a table's rows. */
struct text_table {
	struct out out;
	const struct merged *m;
	bool lines;
};

/* The buffer is written to the file when it has at least CHUNK bytes. */
#define CHUNK 65536

static int put_row(void *arg, const json_t *row)
{
	struct text_table *w = arg;

	json_t *whole, *type, *cell;
	const char *name;
	char *text;

	if (!w->lines) {
		put_row_csv(&w->out, w->m, row);
	} else {	/* columns that the row lacks get null */
		whole = json_object();
		json_object_foreach(w->m->columns, name, type) {
			cell = json_object_get(row, name);
			json_object_set(whole, name, cell ? cell : json_null());
		}
		text = memory_or_exit(json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(17)));
		out_printf(&w->out, "%s\n", text);
		free(text);
		json_decref(whole);
	}
	return w->out.len < CHUNK ? ST_OK : out_commit(&w->out, w->out.len);
}

int merge_write_text(const struct merged *m, const char *path, bool lines, bool overwrite)
{
	struct text_table w = { .m = m, .lines = lines };
	struct out *o = &w.out;
	int err = path ? out_open_file(o, path, out_advice(overwrite)) : out_open_stdout(o);

	err = err || !path ? err : out_begin(o);
	if (err) {
		out_discard(o);
		return err;
	}
	if (!lines)
		put_row_csv(o, m, NULL);
	err = merge_each_row(m, put_row, &w);
	if (!err)
		err = out_commit(o, o->len);
	return out_close(o, !err) ? ST_FAILED : err;
}
