/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/form.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/read/saved.h"
#include "config.h"
#include "host/record.h"
#include "model/parameters.h"
#include "options/types.h"
#include "show/units.h"

void form_describe(struct model_request *a, const char *model, const char *more, const char *key,
		   json_t *known)
{
	const struct loggp *p = &a->loggp;
	const bool apart = p->o_s < p->o_r || p->o_s > p->o_r, c = a->cycles;

	text_add(&a->title, "%s L=%s %s=%s", model, scaled_time(p->L, c).s, apart ? "o_s" : "o",
		   scaled_time(p->o_s, c).s);
	if (apart)
		text_add(&a->title, " o_r=%s", scaled_time(p->o_r, c).s);
	text_add(&a->title, " g=%s%s", scaled_time(p->g, c).s, more);
	if (a->ranks) {
		text_add(&a->title, " P=%llu", (unsigned long long)a->ranks);
		json_object_set_new(known, "P", json_integer((json_int_t)a->ranks));
	}
	json_object_set_new(a->parameters, key, known);
}

/*
 * Sets plan.sizes to the message sizes that --sizes, or --max-size and --min-size, give. Without
 * these options uses the form's usual sizes. Returns ST_OK, ST_USAGE or ST_FAILED (reported).
 */
static int plan_form_sizes(struct model_request *a)
{
	const struct model_values *o = a->o;
	const uint64_t *usual = a->form->sizes;
	/* the numbers are never written */
	struct numbers list = { (uint64_t *)(uintptr_t)usual, a->form->nsizes };

	if (settings_exclude(a->st, "sizes", "max-size") ||
	    settings_exclude(a->st, "sizes", "min-size"))
		return ST_USAGE;
	if (o->sizes.n || !usual || settings_given(a->st, "max-size") ||
	    settings_given(a->st, "min-size"))
		list = o->sizes;
	return plan_sizes(&list, o->min_size, o->max_size, &a->plan.sizes);
}

struct value form_count(uint64_t n)
{
	return n ? val_uint(n) : FORM_NONE;
}

void form_write(struct model_request *a, const struct row *row)
{
	if (!a->err)
		a->err = report_row(a->outlets, &a->shown, row);
}

void form_row(struct model_request *a, const struct value *values, size_t n)
{
	struct row row = { 0 };

	assert(n == a->rec.ncols);
	memcpy(row.v, values, n * sizeof(*values));
	form_write(a, &row);
}

/*
 * Copies a list of columns. If `cycles`, replaces each column of a time in s with the next column,
 * which has the same time in cycles.
 */
static void copy_columns(enum column_id *to, const enum column_id *from, size_t n, bool cycles)
{
	for (size_t i = 0; i < n; i++)
		to[i] = cycles && !strcmp(columns[from[i] + 1].unit, "cycles") ? from[i] + 1
									     : from[i];
}

static int put_rows(void *arg, struct outlets *to, const struct record *rec)
{
	struct model_request *a = arg;

	a->outlets = to;
	a->form->put_rows(a);
	return a->err;
}

static int write_table(struct model_request *a)
{
	enum column_id cols[ROW_MAX], spare[ROW_MAX];
	struct opt_table table = { "options", model_options, (void *)(uintptr_t)a->o,
				   NULL };	/* the table is never used to write to a->o */
	const struct form *form = a->form;
	struct record *rec = &a->rec;

	if (!rec->cols) {
		rec->cols = form->cols;
		rec->ncols = form->ncols;
	}
	rec->definition = form->definition;
	rec->nspare = form->nspare;
	rec->heads = form->heads;
	rec->footer = a->footer.n ? a->footer.s : rec->footer;
	rec->options = opts_as_json(&table, 1);
	rec->environment = host_collect();
	json_object_update(rec->environment, a->parameters);
	a->shown = *rec;
	copy_columns(cols, rec->cols, rec->ncols, a->cycles);
	copy_columns(spare, form->spare, form->nspare, a->cycles);
	a->shown.cols = cols;
	a->shown.spare = spare;
	return report_result(&a->st->output, &a->shown, put_rows, a);
}

/*
 * Reads the file of --like or --rdma. Switches to the RDMA form if the file has only RDMA
 * parameters. Returns ST_OK or an error (reported).
 */
static int read_parameter_file(struct model_request *a)
{
	const struct model_values *o = a->o;
	const char *path = o->like ? o->like : model_rdma_parameters(o) ? NULL : o->rdma;
	int err;

	if (settings_exclude(a->st, "rdma", "example") ||
	    settings_exclude(a->st, "like", "example"))
		return ST_USAGE;
	if (o->like && o->rdma && !model_rdma_parameters(o))
		return error_usage("'--like' and '--rdma' both name a file: give only one of them");
	err = path ? saved_read(path, &a->file) : ST_OK;
	if (!err && a->form->rdma && !o->loggp && parameters_only_rdma(a->file))
		a->form = a->form->rdma;
	return err;
}

static int plan_and_print(struct model_request *a)
{
	int err = read_parameter_file(a);

	if (!err)
		err = a->form->plan(a);
	if (!err && a->form->sized)
		err = plan_form_sizes(a);
	if (!err && a->form->then)
		err = a->form->then(a);
	if (err)
		return err;
	if (!a->form->draw || (a->o->schedule <= SCHEDULE_TABLE && !a->o->picture))
		return write_table(a);
	if (settings_given(a->st, "format") || settings_given(a->st, "output"))
		return error_usage("a picture goes to standard output: '--format' and '--output' "
				   "are only for tables");
	return a->form->draw(a);
}

int form_run(const struct settings *st)
{
	struct model_request a = { .st = st, .o = st->own, .form = (const void *)st->mode,
			   .parameters = json_object() };
	int err;

	text_add(&a.title, "netbench %s model: ", NETBENCH_VERSION);
	a.rec = (struct record){ .command = "model", .computed = true, .title = a.title.s,
				 .status = "complete", .summary = json_object(),
				 .warnings = json_array() };
	err = plan_and_print(&a);
	json_decref(a.rec.options);
	json_decref(a.rec.environment);
	json_decref(a.rec.summary);
	json_decref(a.rec.warnings);
	json_decref(a.parameters);
	json_decref(a.file);
	json_decref(a.result);
	free(a.processors.v);
	free(a.rows);
	plan_free(&a.plan);
	tree_free(&a.tree);
	fitted_free(&a.fitted);
	return err;
}
