/* SPDX-License-Identifier: Apache-2.0 */
/* model --fit: LogGP's parameters from a result of model --measure, once more. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/fitted.h"
#include "cmd/model/model.h"
#include "config.h"
#include "base/error.h"
#include "result/document.h"
#include "result/reader.h"

/* The values of one series at one size, as many as there are rounds. */
static const json_t *samples(const json_t *row, int q)
{
	const json_t *list = json_object_get(row_samples(row), fitted_column(q));

	return json_is_array(list) ? list : NULL;
}

static bool is_usable(const json_t *rows, size_t rounds)
{
	const json_t *row;
	double before = 0;
	size_t i;

	json_array_foreach(rows, i, row) {
		double size = row_number(row, COL_SIZE);

		for (int q = 0; q < FIT_SERIES; q++)
			if (json_array_size(samples(row, q)) != rounds)
				return false;
		if (!(size > before))
			return false;
		before = size;
	}
	return i && rounds;
}

static void take_series(const struct fitted *f, double *to, size_t i, const json_t *list)
{
	const json_t *y;
	size_t r;

	json_array_foreach(list, r, y)
		to[r * f->nsizes + i] = json_is_number(y) ? json_number_value(y) : NAN;
}

/* Delayed messages are not in every result. */
static void take_row(struct fitted *f, size_t i, const json_t *row)
{
	const json_t *delayed =
		json_object_get(row_samples(row), columns[COL_SEND_DELAYED].name);

	f->size[i] = row_number(row, COL_SIZE);
	for (int q = 0; q < FIT_SERIES; q++)
		take_series(f, f->y[q], i, samples(row, q));
	if (json_array_size(delayed) == f->nrounds)
		take_series(f, f->delayed, i, delayed);
}

/* The switches that were bisected when it was measured, if the fit comes to the same segments. */
static void take_switches(struct fitted *f, const json_t *doc)
{
	const json_t *segments = result_at(doc, "summary.segments");

	if (json_array_size(segments) != f->fit.nsegments)
		return;
	for (size_t k = 0; k + 1 < f->fit.nsegments; k++) {
		double upto = result_number(json_array_get(segments, k), "upto_B");
		const struct fit_segment *g = &f->fit.seg[k];

		if (upto >= f->size[g->end - 1] && upto < f->size[g->end])
			f->fit.seg[k].upto = upto;
	}
}

static int read_result(struct fitted *f, const char *path, bool *emulated)
{
	json_t *doc, *rows;
	size_t rounds;
	int err = result_read(path, &doc);

	if (err)
		return err;
	*emulated = result_is_emulated(doc);
	rows = document_rows(doc);
	rounds = json_array_size(samples(json_array_get(rows, 0), 0));
	if (!is_usable(rows, rounds) && !strncmp(document_definition(doc), "loggp", 5) &&
	    !row_samples(json_array_get(rows, 0)))
		err = error_usage("'%s' has no samples: CSV does not keep them; give the .json",
				  path);
	else if (!is_usable(rows, rounds))
		err = error_usage("'%s' is not a result of 'netbench model --measure'", path);
	else if (fitted_alloc(f, json_array_size(rows), rounds))
		err = error_report("no memory for %zu sizes", json_array_size(rows));
	for (size_t i = 0; i < f->nsizes && !err; i++)
		take_row(f, i, json_array_get(rows, i));
	f->seed = 1;
	err = err ? err : fitted_fit(f);
	if (!err)
		take_switches(f, doc);
	json_decref(doc);
	return err;
}

static void warn_text(void *warnings, const char *text)
{
	error_warn("%s", text);
	json_array_append_new(warnings, json_string(text));
}

static int run(const struct settings *st)
{
	const struct model_options *o = st->own;
	struct fitted f = { 0 };
	struct record rec = { .definition = "loggp.v2",
			      .cols = fitted_cols,
			      .ncols = FITTED_NCOLS };
	char title[256], *text = NULL;
	int err = read_result(&f, o->fit, &rec.emulated);

	if (!err) {
		snprintf(title, sizeof(title), "netbench %s model: LogGP fitted to '%s'",
			 NETBENCH_VERSION, o->fit);
		f.rates = (enum rate_unit)st->output.rate_unit;
		text = fitted_text(&f);
		rec.title = title;
		rec.footer = text;
		rec.summary = json_object();
		rec.warnings = json_array();
		fitted_summary(&f, rec.summary);
		fitted_doubts(&f, warn_text, rec.warnings);
		err = model_write(st, &rec, f.nsizes, fitted_row, &f);
	}
	free(text);
	fitted_free(&f);
	return err;
}

const struct mode model_fit = { .by = { "fit", .bit = MODEL_FIT }, .run = run };
