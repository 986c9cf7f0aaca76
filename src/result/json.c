/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes one JSON document, with a line for each member and each row. A regular file contains a
 * complete document at any time: after each row comes a tail that closes the document, and the next
 * row overwrites the tail. Other outputs get the closing text only at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "result/format.h"

#define DIGITS 17		/* a number with this many digits reads back exactly */

/* Writes a value with this number of digits. */
static void put_json_digits(struct out *o, const json_t *v, int digits)
{
	char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY |
				   JSON_REAL_PRECISION((size_t)digits));

	if (text)
		out_add(o, text, strlen(text));
	else
		o->nomem = true;
	free(text);
}

static void put_json(struct out *o, const json_t *v)
{
	put_json_digits(o, v, DIGITS);
}

static void put_text(struct out *o, const char *text)
{
	json_t *v = text ? json_string(text) : NULL;

	/* jansson returns NULL for text that is not UTF-8 */
	v = v ? v : json_null();
	put_json(o, v);
	json_decref(v);
}

/* Writes a member and a comma. If v is NULL, writes `absent` as its value. */
static void put_member(struct out *o, const char *key, const json_t *v, const char *absent)
{
	out_printf(o, "\"%s\": ", key);
	if (v)
		put_json(o, v);
	else
		out_printf(o, "%s", absent);
	out_printf(o, ",\n");
}

/* Number of columns in JSON; brief rows omit the columns about the run. */
static size_t count_columns(const struct record *rec)
{
	return rec->brief ? rec->ncols - rec->nrun : rec->ncols;
}

/* Writes the columns, one a line. */
static void put_columns(struct out *o, const struct record *rec)
{
	out_printf(o, "\"columns\": [");
	for (size_t i = 0; i < count_columns(rec); i++) {
		const struct column *c = &columns[rec->cols[i]];
		json_t *v = json_pack("{ss ss ss ss}", "name", c->name, "unit", c->unit, "type",
				      column_type_names[c->type], "definition", c->definition);

		out_printf(o, i ? ",\n" : "\n");
		put_json(o, v);
		json_decref(v);
	}
	out_printf(o, "\n],\n");
}

/* Writes the part after the rows. */
static void put_tail(struct out *o, const struct record *rec, const char *status)
{
	const json_t *run;
	size_t i;

	out_printf(o, "\n],\n");
	put_member(o, "summary", rec->summary, "{}");
	put_member(o, "warnings", rec->warnings, "[]");
	if (rec->runs)
		out_printf(o, "\"runs\": [");
	json_array_foreach(rec->runs, i, run) {
		out_printf(o, i ? ",\n" : "\n");
		put_json(o, run);
	}
	if (rec->runs)
		out_printf(o, "\n],\n");
	out_printf(o, "\"status\": ");
	put_text(o, status);
	out_printf(o, "\n}\n");
}

/* Commits the text so far. For a regular file, first adds a tail that closes the document. */
static int commit_json(struct out *o, const struct record *rec)
{
	size_t keep = o->len;

	if (o->regular)
		put_tail(o, rec, "incomplete");
	return out_commit(o, keep);
}

static int begin_json(struct out *o, const struct record *rec)
{
	out_printf(o, "{\n\"schema\": \"netbench\",\n\"schema_version\": 1,\n\"command\": ");
	put_text(o, rec->command);
	out_printf(o, ",\n\"definition\": ");
	put_text(o, rec->definition);
	out_printf(o, ",\n\"computed\": %s,\n", rec->computed ? "true" : "false");
	put_member(o, "options", rec->options, "{}");
	put_member(o, "environment", rec->environment, "{}");
	put_columns(o, rec);
	out_printf(o, "\"rows\": [");
	return commit_json(o, rec);
}

static int write_json_row(struct out *o, const struct record *rec, const struct row *r)
{
	json_t *v = row_as_json(r, rec, count_columns(rec), rec->brief);

	out_printf(o, o->nrows ? ",\n" : "\n");
	o->nomem |= !v;
	if (r->samples && json_object_set(v, "samples", r->samples))
		o->nomem = true;
	put_json_digits(o, v, rec->brief ? rec->brief : DIGITS);
	json_decref(v);
	return commit_json(o, rec);
}

static int end_json(struct out *o, const struct record *rec)
{
	put_tail(o, rec, rec->status);
	return out_commit(o, o->len);
}

const struct format_ops format_json = {
	.begin = begin_json, .row = write_json_row, .end = end_json,
};
