/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws results over the number of ranks or over time. Joins results that differ only in ranks or
 * time.
 */
#include "show/chart/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"

#define RANKS "ranks"
#define TIME "time"
#define DAY_S 86400.0
#define SUMMARY "summary."

/* Joined results may differ in these options, because they do not change the quantity. */
static const char *const own_incidental[] = {
	RANKS, "cards", "repetitions", "warmup", "ci", "point-time", "visits", "time-limit",
	"stall", "seed", "samples", "dry-run", "listen", "join", "rank", "secret-file",
	"join-timeout", "job",
};

bool ranks_is_summary(const char *column)
{
	return column && !strncmp(column, SUMMARY, strlen(SUMMARY));
}

/* ---- columns that are added to results ---- */

/*
 * Returns the number of ranks of a result, or the number of cards of a model of FPGA boards; JSON
 * null if it has neither.
 */
static json_t *rank_count(const json_t *doc)
{
	json_t *n = result_at(doc, "environment.nranks");

	n = n ? n : result_at(doc, "options.cards");
	return json_is_integer(n) ? json_incref(n) : json_null();
}

/* Returns the days from the earliest result to this one. JSON null if this result has no date. */
static json_t *days_since_first(const json_t *doc, const struct album *a)
{
	double first = NAN, start = result_start_time(doc);

	for (size_t i = 0; i < a->nfiles; i++)
		if (a->files[i].doc)
			first = fmin(first, result_start_time(a->files[i].doc));
	return isnan(start) ? json_null() : json_real((start - first) / DAY_S);
}

const char *ranks_join_column(const char *x)
{
	return !x ? NULL : !strcmp(x, RANKS) ? RANKS : !strcmp(x, TIME) ? TIME : NULL;
}

static json_t *new_column(const char *name, const char *unit, const char *type)
{
	return json_pack("{s:s, s:s, s:s}", "name", name, "unit", unit, "type", type);
}

/* The column that is added to a result, and the result's value in this column. */
struct added_column {
	const char *column, *type;
	json_t *value;
};

static const char *nth_summary_number(size_t i, void *doc)
{
	const char *name;
	json_t *v;

	json_object_foreach(document_summary(doc), name, v)
		if (json_is_number(v) && !i--)
			return name;
	return NULL;
}

/*
 * Replaces the rows of a result by one row, which has the value of the added column and the numbers
 * of the summary. Returns ST_OK or ST_USAGE (reported).
 */
static int replace_rows_by_summary(struct plot_run *run, const struct added_column *at,
				   const char *wanted)
{
	static const char *const units[][2] = { { "_Bps", "B/s" }, { "_s", "s" }, { "_B", "B" },
						{ "_msgps", "msg/s" }, { "_Hz", "Hz" } };
	const char *name = wanted + strlen(SUMMARY), *near = suggest(name, nth_summary_number,
								     run->doc);
	const char *end = strrchr(name, '_'), *unit = "";

	if (!json_is_number(result_at(run->doc, wanted)))
		return error_usage("the summary of '%s' has no number '%s'%s%s%s", run->path, name,
				   near ? ", did you mean '" SUMMARY : "", near ? near : "",
				   near ? "'?" : "");
	for (size_t i = 0; i < LENGTH(units) && end; i++)
		if (!strcmp(end, units[i][0]))
			unit = units[i][1];
	json_object_set_new(run->doc, "columns",
			    json_pack("[o, o]", new_column(at->column, "", at->type),
				      new_column(wanted, unit, "real")));
	json_object_set_new(run->doc, "rows", json_pack("[{s:O, s:O}]", at->column, at->value,
							"summary", document_summary(run->doc)));
	return ST_OK;
}

/*
 * Adds the column to a result. If `wanted` is a number of the summary, replaces the rows by the
 * summary. Returns ST_OK or ST_USAGE (reported).
 */
static int add_column(struct plot_run *run, const struct added_column *at, const char *wanted)
{
	json_t *row;
	size_t k;

	if (!result_has(run->doc, at->column)) {
		json_array_append_new(document_columns(run->doc),
				      new_column(at->column, "", at->type));
		json_array_foreach(document_rows(run->doc), k, row)
			json_object_set(row, at->column, at->value);
	}
	return ranks_is_summary(wanted) ? replace_rows_by_summary(run, at, wanted) : ST_OK;
}

/* ---- joining results ---- */

/* Returns, as a text, the facts that joined results must share. The caller frees it. */
static char *joining_key(const json_t *doc, const char *over,
			 bool (*incidental)(const char *option))
{
	json_t *options = json_copy(document_options(doc)), *kind, *value;
	const char *name;
	char *text;
	void *next;

	for (size_t i = 0; i < LENGTH(own_incidental); i++)
		json_object_del(options, own_incidental[i]);
	json_object_foreach_safe(options, next, name, value)
		if (incidental(name))
			json_object_del(options, name);
	kind = json_pack("[s, s, b, b, s, s, o, o]", document_command(doc),
			 document_definition(doc), result_is_computed(doc),
			 result_is_emulated(doc), result_text(doc, "environment.backend.name"),
			 result_text(doc, "environment.cpu.model"), options,
			 strcmp(over, RANKS) != 0 ? rank_count(doc) : json_null());
	text = memory_or_exit(json_dumps(kind, JSON_SORT_KEYS));
	json_decref(kind);
	return text;
}

/*
 * Adds the rows, warnings and columns of result `from` to result `to` of the same kind. Frees the
 * document of `from`.
 */
static void join_result(struct plot_run *to, struct plot_run *from)
{
	json_t *own = document_columns(to->doc), *c;
	size_t i;

	json_array_extend(document_rows(to->doc), document_rows(from->doc));
	json_array_extend(document_warnings(to->doc),
			  document_warnings(from->doc));
	json_array_foreach(document_columns(from->doc), i, c)
		if (!result_has(to->doc, result_text(c, "name")))
			json_array_append(own, c);
	if (!strcmp(document_status(to->doc), "complete"))
		json_object_set(to->doc, "status", json_object_get(from->doc, "status"));
	to->nmore += 1 + from->nmore;
	json_decref(from->doc);
	from->doc = NULL;
}

int ranks_join(struct album *a, const char *over, const char *wanted, bool labelled,
	       bool (*incidental)(const char *option))
{
	json_t *kinds = json_object(), *first; /* from each kind to the index of its first result */
	size_t n = 0;
	char *kind;
	int err = ST_OK;

	for (size_t i = 0; i < a->nfiles && !err; i++) {
		const json_t *doc = a->files[i].doc;
		struct added_column at = { RANKS, "integer", NULL };

		if (!strcmp(over, RANKS))
			at.value = rank_count(doc);
		else
			at = (struct added_column){ TIME, "real", days_since_first(doc, a) };
		err = add_column(&a->files[i], &at, wanted);
		json_decref(at.value);
	}
	for (size_t i = 0; i < a->nfiles && !err; i++) {
		kind = joining_key(a->files[i].doc, over, incidental);
		first = json_object_get(kinds, kind);
		if (first)
			join_result(&a->files[json_integer_value(first)], &a->files[i]);
		else
			json_object_set_new(kinds, kind, json_integer((json_int_t)i));
		free(kind);
	}
	json_decref(kinds);
	for (size_t i = 0; i < a->nfiles; i++)
		if (a->files[i].doc)
			a->files[n++] = a->files[i];
	a->nfiles = n;
	for (size_t i = 0; i < n && !labelled; i++) {
		struct plot_run *run = &a->files[i];

		run->group = text_from("%s and %zu more", run->label, run->nmore);
		if (run->nmore)
			run->label = run->group.s;
	}
	return err;
}
