/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/refit.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "result/document.h"
#include "result/reader.h"

/*
 * Reads the samples of a column in the row of the i-th size. Returns false unless there is one
 * sample per round.
 */
static bool read_samples(const struct fitted *f, double *to, size_t i, const json_t *row,
			 const char *column)
{
	const json_t *list = json_object_get(row_samples(row), column), *y;
	size_t r;

	if (json_array_size(list) != f->nrounds)
		return false;
	json_array_foreach(list, r, y)
		to[r * f->nsizes + i] = json_is_number(y) ? json_number_value(y) : NAN;
	return true;
}

static int read_rows(struct fitted *f, const json_t *doc, const char *path)
{
	const json_t *rows = document_rows(doc), *first = json_array_get(rows, 0), *row;
	size_t n = json_array_size(rows), i;
	size_t rounds = json_array_size(json_object_get(row_samples(first), fitted_column(0)));
	bool usable = rounds;

	if (usable)
		fitted_alloc(f, n, rounds);
	for (i = 0; i < n && usable; i++) {
		row = json_array_get(rows, i);
		f->size[i] = row_number(row, COL_SIZE);
		usable = f->size[i] > (i ? f->size[i - 1] : 0);
		for (int q = 0; q < FIT_SERIES; q++)
			usable = usable && read_samples(f, f->y[q], i, row, fitted_column(q));
		/* optional: not every result has delayed messages */
		read_samples(f, f->delayed, i, row, columns[COL_SEND_DELAYED].name);
	}
	if (usable)
		return ST_OK;
	if (!strncmp(document_definition(doc), "loggp", 5) && !json_object_get(first, "samples"))
		return error_usage("'%s' has no samples: CSV does not keep them; give the .json",
				   path);
	return error_usage("'%s' is not a result of 'netbench model --measure'", path);
}

/*
 * Reads the switch points that the measurement bisected. Uses a point only where the new fit has
 * the same segments.
 */
static void read_switch_points(struct fitted *f, const json_t *doc)
{
	const json_t *segments = result_at(doc, "summary.segments");

	for (size_t k = 0; k + 1 < f->fit.nsegments; k++) {
		double upto = result_number(json_array_get(segments, k), "upto_B");
		struct fit_segment *g = &f->fit.seg[k];

		if (json_array_size(segments) == f->fit.nsegments &&
		    upto >= f->size[g->end - 1] && upto < f->size[g->end])
			g->upto = upto;
	}
}

static int plan_refit(struct model_request *a)
{
	struct fitted *f = &a->fitted;
	const char *path = a->o->fit;
	char doubt[FITTED_DOUBT];
	int err = result_read(path, &a->file);

	if (!err)
		err = read_rows(f, a->file, path);
	f->seed = 1;
	if (!err)
		err = fitted_estimate(f);
	if (err)
		return err;
	read_switch_points(f, a->file);
	text_add(&a->title, "LogGP fitted to '%s'", path);
	f->rates = (enum rate_unit)a->st->output.rate_unit;
	a->rows = fitted_text(f);
	a->rec.footer = a->rows;
	a->rec.computed = false;
	a->rec.emulated = result_is_emulated(a->file);
	fitted_summary(f, a->rec.summary);
	for (size_t k = 0; k < f->fit.nsegments; k++) {
		if (!fitted_overheads_differ(f, k, doubt))
			continue;
		error_warn("%s", doubt);
		json_array_append_new(a->rec.warnings, json_string(doubt));
	}
	return ST_OK;
}

static void put_sizes(struct model_request *a)
{
	for (size_t i = 0; i < a->fitted.nsizes; i++) {
		struct row row = { 0 };

		fitted_row(&a->fitted, i, &a->rec, &row);
		form_write(a, &row);
		json_decref(row.samples);
	}
}

const struct form refit_form = {
	FORM_BY("fit", NULL, NULL, "fit"), "loggp.v2", fitted_cols, FITTED_NCOLS,
	.plan = plan_refit, .put_rows = put_sizes
};
