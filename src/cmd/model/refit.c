/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/refit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static int take_rows(struct fitted *f, const json_t *doc, const char *path)
{
	const json_t *rows = document_rows(doc), *first = json_array_get(rows, 0), *row;
	size_t rounds = json_array_size(samples(first, 0)), i;

	if (!is_usable(rows, rounds))
		return !strncmp(document_definition(doc), "loggp", 5) &&
			       !json_object_get(first, "samples")
			? error_usage("'%s' has no samples: CSV does not keep them; give the .json",
				      path)
			: error_usage("'%s' is not a result of 'netbench model --measure'", path);
	if (fitted_alloc(f, json_array_size(rows), rounds))
		return error_report("no memory for %zu sizes", json_array_size(rows));
	json_array_foreach(rows, i, row) {
		/* delayed messages are not in every result */
		const json_t *delayed = json_object_get(row_samples(row),
							columns[COL_SEND_DELAYED].name);

		f->size[i] = row_number(row, COL_SIZE);
		for (int q = 0; q < FIT_SERIES; q++)
			take_series(f, f->y[q], i, samples(row, q));
		if (json_array_size(delayed) == rounds)
			take_series(f, f->delayed, i, delayed);
	}
	f->seed = 1;
	return fitted_fit(f);
}

static void warn_text(void *warnings, const char *text)
{
	error_warn("%s", text);
	json_array_append_new(warnings, json_string(text));
}

int refit_plan(struct asked *a)
{
	struct fitted *f = &a->fitted;
	const char *path = a->o->fit;
	json_t *doc;
	int err = result_read(path, &doc);

	if (err)
		return err;
	a->rec.emulated = result_is_emulated(doc);
	err = take_rows(f, doc, path);
	if (!err)
		take_switches(f, doc);
	json_decref(doc);
	if (err)
		return err;
	form_title(a, "LogGP fitted to '%s'", path);
	f->rates = (enum rate_unit)a->st->output.rate_unit;
	a->rows = fitted_text(f);
	a->rec.footer = a->rows;
	a->rec.computed = false;
	a->n = f->nsizes;
	fitted_summary(f, a->rec.summary);
	fitted_doubts(f, warn_text, a->rec.warnings);
	return ST_OK;
}

void refit_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	fitted_row(&a->fitted, i, rec, row);
}
