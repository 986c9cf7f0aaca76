/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model beside the rows of a result: what was measured, what the model says of the same, and how
 * far apart they are.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/model.h"
#include "host/record.h"
#include "base/stats.h"
#include "base/error.h"
#include "base/text.h"
#include "result/document.h"
#include "result/reader.h"
#include "base/values.h"

/* Numbers in a result beyond these are none of netbench's. */
#define MOST_SIZE 1e15
#define MOST_COUNT 1e9

/* How the result was made. */
#define LINE "environment.netbench.command_line"

static const char *const pattern_names[] = {
	"half round trip", "interval", "window", "sliding window", "sliding window", "ring",
	"ATLAS",
};

static const enum column_id plain_cols[] = { COL_PATTERN, COL_SIZE, COL_MODEL_TIME, COL_MEASURED,
					     COL_RATIO };
static const enum column_id window_cols[] = { COL_PATTERN,    COL_WINDOW,   COL_BATCH, COL_SIZE,
					      COL_MODEL_TIME, COL_MEASURED, COL_RATIO };
static const enum column_id atlas_cols[] = {
	COL_BENCHMARK, COL_ALGORITHM, COL_RANKS, COL_SOURCES, COL_STAGES, COL_DESTINATIONS,
	COL_CREDITS, COL_OCCUPATION, COL_WINDOW, COL_SIZE, COL_MODEL_TIME, COL_MEASURED,
	COL_RATIO,
};

static const enum column_id spare[] = {
	COL_WINDOW, COL_CREDITS, COL_STAGES, COL_SOURCES, COL_DESTINATIONS, COL_ALGORITHM,
};

/* Columns of the report, by what was observed. */
#define TABLE(cols) { (cols), sizeof(cols) / sizeof((cols)[0]) }
static const struct {
	const enum column_id *cols;
	size_t n;
} tables[] = {
	[OBSERVED_LATENCY] = TABLE(plain_cols), [OBSERVED_GAP] = TABLE(plain_cols),
	[OBSERVED_WINDOW] = TABLE(window_cols), [OBSERVED_ACKED] = TABLE(window_cols),
	[OBSERVED_COMPLETED] = TABLE(window_cols), [OBSERVED_RING] = TABLE(plain_cols),
	[OBSERVED_ATLAS] = TABLE(atlas_cols),
};

struct pair {
	struct observation o;
	double model;
};

/* All that could be compared. */
struct matches {
	struct pair *v;
	size_t n;
	size_t left_out;		/* observations that the model says nothing of */
	bool no_memory;
	double (*predict)(const struct observation *o, const void *model);
	const void *model;
};

/* ---- reading ---- */

/* A whole number of a row; `missing` if it has none, or one that cannot be. */
static uint64_t count_of(const json_t *row, const char *name, double most, uint64_t missing)
{
	double v = result_number(row, name);

	return v >= 0 && v <= most ? (uint64_t)v : missing;
}

static void compare(struct matches *m, struct observation *o, enum observed what, double measured)
{
	struct pair pair, *more;

	if (!(measured > 0))
		return;
	o->what = what;
	o->measured = measured;
	pair = (struct pair){ *o, m->predict(o, m->model) };
	if (!(pair.model > 0) || !isfinite(pair.model)) {
		m->left_out++;
		return;
	}
	more = list_grow(m->v, m->n, sizeof(*m->v));
	if (!more) {
		m->no_memory = true;
		return;
	}
	m->v = more;
	m->v[m->n++] = pair;
}

static void take_row(struct matches *m, const json_t *doc, const json_t *row)
{
	double size = row_number(row, COL_SIZE), occupation = row_number(row, COL_OCCUPATION);
	const char *load = row_text(row, COL_LOAD), *ack = row_text(row, COL_ACK);
	double time;
	struct observation o = {
		.window = count_of(row, "window", MOST_COUNT, 1),
		.batch = count_of(row, "batch", MOST_COUNT, 1),
		.loops = count_of(row, "loops", MOST_COUNT, 1),
		.ranks = count_of(row, "ranks", LOGGP_MOST, 0),
		.both = json_is_true(document_option(doc, "bidirectional")),
		.read = row_cell(row, COL_READ) ||
			strstr(document_definition(doc), "window-read."),
		.benchmark = row_text(row, COL_BENCHMARK),
		.algorithm = row_text(row, COL_ALGORITHM),
		.sources = count_of(row, "sources", MOST_COUNT, 0),
		.stages = count_of(row, "stages", MOST_COUNT, 0),
		.destinations = count_of(row, "destinations", MOST_COUNT, 0),
		.credits = count_of(row, "credits", MOST_COUNT, 0),
		.occupation = occupation > 0 ? occupation : 0,
	};

	/* no model is of rows measured beside a computing task */
	if (!(size >= 0 && size <= MOST_SIZE) || !o.window || !o.loops ||
	    (*load && strcmp(load, "none") != 0)) {
		m->left_out++;
		return;
	}
	o.size = (uint64_t)size;
	time = row_number(row, COL_TIME) / (double)o.loops / (double)o.window;
	if (*o.benchmark)
		compare(m, &o, OBSERVED_ATLAS, row_number(row, COL_EVENT));
	else if (!strncmp(document_definition(doc), "beff.ring.", strlen("beff.ring.")))
		compare(m, &o, OBSERVED_RING, row_number(row, COL_TIME_MIN) / (double)o.loops);
	else if (row_cell(row, COL_WINDOW))
		compare(m, &o, !strcmp(ack, "message")	   ? OBSERVED_ACKED
			       : !strcmp(ack, "transport") ? OBSERVED_COMPLETED
							   : OBSERVED_WINDOW, time);
	else if (o.read)
		compare(m, &o, OBSERVED_LATENCY, row_number(row, COL_READ));
	else {
		compare(m, &o, OBSERVED_LATENCY, row_number(row, COL_HALF_RTT));
		compare(m, &o, OBSERVED_GAP, row_number(row, COL_GAP));
	}
}

static int read_result(struct matches *m, const char *path, json_t **doc)
{
	int err = result_read(path, doc);
	json_t *row;
	size_t i;

	if (err)
		return err;
	json_array_foreach(document_rows(*doc), i, row)
		take_row(m, *doc, row);
	if (m->no_memory)
		return error_report("no memory for the rows of '%s'", path);
	if (!m->n)
		return error_usage(
			"'%s' has no rows that this model says anything of: it is a result of '%s'",
			path, document_command(*doc));
	return ST_OK;
}

/* ---- reporting ---- */

/* No cell for a count of 0. */
static struct value count(uint64_t n)
{
	return n ? val_uint(n) : (struct value){ .kind = VAL_NONE };
}

static void fill(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct pair *p = &((const struct matches *)arg)->v[i];
	const struct observation *o = &p->o;

	ROW_PUT(row, rec, { COL_PATTERN, val_text(o->read ? "read" : pattern_names[o->what]) },
		{ COL_BENCHMARK, val_text(o->benchmark) }, { COL_RANKS, count(o->ranks) },
		{ COL_SOURCES, count(o->sources) }, { COL_STAGES, count(o->stages) },
		{ COL_DESTINATIONS, count(o->destinations) },
		{ COL_CREDITS, count(o->credits) }, { COL_WINDOW, val_uint(o->window) },
		{ COL_BATCH, val_uint(o->batch) }, { COL_SIZE, val_uint(o->size) },
		{ COL_MODEL_TIME, val_real(p->model) }, { COL_MEASURED, val_real(o->measured) },
		{ COL_RATIO, val_real(o->measured / p->model) });
	if (*o->algorithm)
		row_put(row, rec, COL_ALGORITHM, val_text(o->algorithm));
	if (o->sources)
		row_put(row, rec, COL_OCCUPATION, val_real(o->occupation));
}

static double deviation(const struct pair *p)
{
	return fabs(p->o.measured / p->model - 1);
}

static int conclude(struct record *rec, const struct matches *m, bool computed, char *footer,
		    size_t len)
{
	struct series all = { .n = 0 };
	size_t worst = 0;
	double median;

	for (size_t i = 0; i < m->n; i++) {
		if (series_push(&all, deviation(&m->v[i])))
			return error_report("no memory for the summary");
		if (deviation(&m->v[i]) > deviation(&m->v[worst]))
			worst = i;
	}
	median = summarise(&all).p50;
	series_free(&all);
	rec->summary = json_pack("{s:I, s:I, s:f, s:f, s:I}", "compared", (json_int_t)m->n,
				 "left_out", (json_int_t)m->left_out, "deviation_p50", median,
				 "deviation_max", deviation(&m->v[worst]), "deviation_max_size_B",
				 (json_int_t)m->v[worst].o.size);
	snprintf(footer, len,
		 "\n%s: off the model by %s %% (median of %zu), at most by %s %% at %llu B%s%s",
		 computed ? "simulated" : "measured", plain(100 * median, 3).s, m->n,
		 plain(100 * deviation(&m->v[worst]), 3).s,
		 (unsigned long long)m->v[worst].o.size,
		 m->left_out ? "; rows that the model says nothing of are left out" : "",
		 rec->footer ? rec->footer : "");
	rec->footer = footer;
	return ST_OK;
}

int model_against(const struct settings *st, struct record *rec,
		  double (*predict)(const struct observation *o, const void *model),
		  const void *model)
{
	const struct model_options *o = st->own;
	struct matches m = { .predict = predict, .model = model };
	json_t *doc = NULL;
	char footer[1536];
	int err = read_result(&m, o->against, &doc);

	err = err ? err : conclude(rec, &m, result_is_computed(doc), footer, sizeof(footer));
	if (err) {
		json_decref(rec->environment);
	} else {
		/* describes the result, so that it can be measured again */
		json_object_set_new(rec->environment, "against",
				    json_pack("{s:s, s:s, s:s, s:s, s:b}", "file", o->against,
					      "command", document_command(doc),
					      "definition", document_definition(doc),
					      "command_line", result_text(doc, LINE), "computed",
					      result_is_computed(doc)));
		rec->emulated = result_is_emulated(doc);
		rec->cols = tables[m.v[0].o.what].cols;
		rec->ncols = tables[m.v[0].o.what].n;
		MODEL_SPARE(rec, spare);
		err = model_write(st, rec, m.n, fill, &m);
	}
	free(m.v);
	json_decref(doc);
	return err;
}
