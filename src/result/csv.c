/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes rows as RFC 4180 defines them, with lines "# key: value" before and after the rows. Lines
 * end in "\n", not "\r\n": Unix programs would take the "\r" for part of the last column.
 */
#include "result/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "result/format.h"
#include "result/document.h"

/* a part of the summary goes on one line if its JSON has more characters than this */
#define PART_LONG 2000

/* Writes a number with the fewest digits from which the same number can be read again. */
static void put_digits(struct out *o, double r)
{
	char buf[32];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, sizeof(buf), "%.*g", digits, r);
		if (strtod(buf, NULL) == r)
			break;
	}
	out_printf(o, "%s", buf);
}

/* Writes a text, in quotes if it contains separators or quotes. */
static void put_text(struct out *o, const char *t)
{
	if (!strpbrk(t, ",\"\r\n")) {
		out_printf(o, "%s", t);
		return;
	}
	out_add(o, "\"", 1);
	for (; *t; t++) {
		if (*t == '"')
			out_add(o, t, 1);
		out_add(o, t, 1);
	}
	out_add(o, "\"", 1);
}

void csv_put(struct out *o, const struct value *v)
{
	if (v->kind == VAL_UINT)
		out_printf(o, "%" PRIu64, v->u);
	else if (v->kind == VAL_REAL)
		put_digits(o, v->r);
	else if (v->kind == VAL_TEXT)
		put_text(o, v->t);
}

/* Writes "# key: text" on one line. */
static void put_line(struct out *o, const char *key, const char *text)
{
	out_printf(o, "# %s: ", key);
	for (; *text; text++)
		out_add(o, *text == '\n' || *text == '\r' ? " " : text, 1);
	out_printf(o, "\n");
}

/*
 * Writes a line "# key: value". The value has the form of JSON, with two exceptions: null is empty,
 * and a text has quotes only if it needs them.
 */
static void put_scalar(struct out *o, const char *key, json_t *v)
{
	const char *plain = json_string_value(v);
	json_t *other = plain ? json_loads(plain, JSON_DECODE_ANY, NULL) : NULL;
	char *text;
	double r;

	json_decref(other);
	/* A text has no quotes, unless base/read/csv.c would then read it as another value. */
	if (plain && !other && *plain && *plain != '"') {
		put_line(o, key, plain);
		return;
	}
	out_printf(o, "# %s: ", key);
	if (json_is_real(v)) {
		r = json_real_value(v);
		put_digits(o, r);
		if (trunc(r) == r && fabs(r) < 1e15)
			out_printf(o, ".0");	/* marks a real number whose value is whole */
	} else if (!json_is_null(v)) {
		text = json_dumps(v, JSON_ENCODE_ANY);
		out_printf(o, "%s", text ? text : "");
		free(text);
	}
	out_printf(o, "\n");
}

/* Calls `put` for a member, with the path of the member as the key. */
static void put_member(struct out *o, const char *key, const char *name, json_t *v,
		       void (*put)(struct out *o, const char *key, json_t *v))
{
	char *longer;

	if (asprintf(&longer, "%s.%s", key, name) < 0) {
		o->nomem = true;
		return;
	}
	put(o, longer, v);
	free(longer);
}

/* Writes one line "# key: {...}" with the value as JSON. */
static void put_compact_json(struct out *o, const char *key, json_t *v)
{
	char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));

	if (text)
		put_line(o, key, text);
	else
		o->nomem = true;
	free(text);
}

/*
 * Writes a line for each number or text in v, at any depth: "# key.host.kernel: 6.1", "# key.0: a".
 */
static void put_each_scalar(struct out *o, const char *key, json_t *v)
{
	const char *name = NULL;
	char number[24];
	json_t *item;
	size_t i = 0;

	if (v && !json_is_object(v) && !json_is_array(v))
		put_scalar(o, key, v);
	if (json_is_array(v) && !json_array_size(v))
		put_line(o, key, "[]");
	json_object_foreach(v, name, item)
		put_member(o, key, name, item, put_each_scalar);
	json_array_foreach(v, i, item) {
		snprintf(number, sizeof(number), "%zu", i);
		put_member(o, key, number, item, put_each_scalar);
	}
}

/*
 * Members of the environment that come first, each on its own line. A short header has only these.
 */
static const char *const short_header[] = {
	"netbench.version", "netbench.command_line", "run.id", "time.start", "host.name",
	"job.name", "backend.name", "nranks",
};

/* Writes the lines of the short header; the full header has them too. */
static void put_short_header(struct out *o, const struct record *rec)
{
	put_line(o, "command", rec->command);
	put_line(o, "definition", rec->definition);
	put_line(o, "computed", rec->computed ? "true" : "false");
	for (size_t i = 0; i < LENGTH(short_header); i++) {
		json_t *v = result_at(rec->environment, short_header[i]);

		if (v)
			put_member(o, "environment", short_header[i], v, put_each_scalar);
	}
}

/*
 * Writes the lines before the rows. All options are on one line; each part of the environment has a
 * line.
 */
static void put_header(struct out *o, const struct record *rec)
{
	const char *name;
	json_t *part;

	put_line(o, "schema", "netbench-csv/1");
	put_short_header(o, rec);
	if (rec->options)
		put_compact_json(o, "options", rec->options);
	json_object_foreach(rec->environment, name, part) {
		bool compact = json_is_object(part) || json_is_array(part);

		if (compact || strcmp(name, "nranks") != 0)
			put_member(o, "environment", name, part,
				   compact ? put_compact_json : put_scalar);
	}
}

static int begin_csv(struct out *o, const struct record *rec)
{
	if (rec->csv_header == CSV_FULL)
		put_header(o, rec);
	else if (rec->csv_header == CSV_SHORT)
		put_short_header(o, rec);
	for (size_t i = 0; i < rec->ncols; i++)
		out_printf(o, "%s%s", i ? "," : "", columns[rec->cols[i]].name);
	out_printf(o, "\n");
	return out_commit(o, o->len);
}

static int write_csv_row(struct out *o, const struct record *rec, const struct row *r)
{
	for (size_t i = 0; i < rec->ncols; i++) {
		if (i)
			out_printf(o, ",");
		csv_put(o, &r->v[i]);
	}
	out_printf(o, "\n");
	return out_commit(o, o->len);
}

/*
 * Writes the summary, without the findings, which only JSON contains. A long part is one line of
 * JSON.
 */
static void put_summary(struct out *o, json_t *summary)
{
	const char *name;
	json_t *part;

	json_object_foreach(summary, name, part) {
		size_t len = json_dumpb(part, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);

		if (strcmp(name, "findings") != 0)
			put_member(o, "summary", name, part,
				   len > PART_LONG ? put_compact_json : put_each_scalar);
	}
}

static int end_csv(struct out *o, const struct record *rec)
{
	json_t *text;
	size_t i;

	if (rec->csv_header == CSV_NONE)
		return out_commit(o, o->len);
	put_summary(o, rec->summary);
	json_array_foreach(rec->warnings, i, text)
		put_scalar(o, "warning", text);
	put_line(o, "status", rec->status);
	return out_commit(o, o->len);
}

const struct format_ops format_csv = {
	.begin = begin_csv, .row = write_csv_row, .end = end_csv,
};
