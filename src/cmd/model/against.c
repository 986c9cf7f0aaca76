/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/against.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "model/schedule/algorithms.h"
#include "result/document.h"
#include "result/reader.h"

/* Largest size and count that netbench writes into a result. */
#define MOST_SIZE 1e15
#define MOST_COUNT 1e9

/* Path, in a result's record, of the command line that made the result. */
#define LINE "environment.netbench.command_line"

static const enum column_id plain_cols[] = { COL_PATTERN, COL_SIZE, COL_MODEL_TIME, COL_MEASURED,
					     COL_RATIO };
static const enum column_id window_cols[] = { COL_PATTERN,    COL_WINDOW,   COL_BATCH, COL_SIZE,
					      COL_MODEL_TIME, COL_MEASURED, COL_RATIO };
static const enum column_id collective_cols[] = { COL_OPERATION, COL_ALGORITHM,	 COL_RANKS,
						  COL_SIZE,	 COL_MODEL_TIME, COL_MEASURED,
						  COL_RATIO };
/* in 80 characters the algorithm says more than the number of ranks */
static const enum column_id collective_narrow[] = { COL_OPERATION,  COL_ALGORITHM, COL_SIZE,
						    COL_MODEL_TIME, COL_MEASURED,  COL_RATIO };
static const enum column_id atlas_cols[] = { COL_BENCHMARK,    COL_ALGORITHM, COL_RANKS,
					     COL_SOURCES,      COL_STAGES,    COL_DESTINATIONS,
					     COL_CREDITS,      COL_OCCUPATION, COL_WINDOW,
					     COL_SIZE,	       COL_MODEL_TIME, COL_MEASURED,
					     COL_RATIO,	       COL_REMARK };

/* For each kind of observation: the name of the pattern, and the columns of the table. */
static const struct {
	const char *pattern;
	const enum column_id *cols;
	size_t ncols;
} tables[] = {
	[OBSERVED_LATENCY] = { "half round trip", plain_cols, LENGTH(plain_cols) },
	[OBSERVED_GAP] = { "interval", plain_cols, LENGTH(plain_cols) },
	[OBSERVED_WINDOW] = { "window", window_cols, LENGTH(window_cols) },
	[OBSERVED_ACKED] = { "sliding window", window_cols, LENGTH(window_cols) },
	[OBSERVED_COMPLETED] = { "sliding window", window_cols, LENGTH(window_cols) },
	[OBSERVED_RING] = { "ring", plain_cols, LENGTH(plain_cols) },
	[OBSERVED_ATLAS] = { "ATLAS", atlas_cols, LENGTH(atlas_cols) },
	[OBSERVED_COLLECTIVE] = { "collective", collective_cols, LENGTH(collective_cols) },
};

/* ---- reading ---- */

/*
 * Returns the whole number in the row's cell `name`, or `missing` if the row lacks the cell or the
 * number is outside 0 to `most`.
 */
static uint64_t whole_number(const json_t *row, const char *name, double most, uint64_t missing)
{
	double v = result_number(row, name);

	return v >= 0 && v <= most ? (uint64_t)v : missing;
}

/* Adds an observation if the model predicts it. Otherwise counts the observation as left out. */
static void add_observation(struct model_request *a, struct observation *o, enum observed what,
			   double measured)
{
	struct observation *all;

	if (!(measured > 0))
		return;
	o->what = what;
	o->measured = measured;
	o->predicted = a->form->predict(o, (const char *)a + a->form->model);
	if (!(o->predicted > 0) || !isfinite(o->predicted)) {
		a->left_out++;
		return;
	}
	a->rows = all = memory_grow(a->rows, a->n, sizeof(*o));
	all[a->n++] = *o;
}

/*
 * Completes the observation of a collective operation, if the row is one of netbench's own
 * algorithms. Returns whether the row is a collective operation.
 */
static bool observe_operation(const struct model_request *a, const json_t *row,
			      struct observation *o)
{
	const char *name = row_text(row, COL_OPERATION);
	double segment = result_number(a->result, "options.segment"), root;
	double sum = row_number(row, COL_SUM);

	if (!*name)
		return false;
	for (enum operation op = 0; operation_names[op]; op++)
		if (!strcmp(operation_names[op], name))
			o->operation = algorithm_find(op, o->algorithm);
	o->segment = segment > 0 ? (uint64_t)segment : 0;
	o->root = scan_real(row_text(row, COL_ROOT), &root) ? 0 : (uint32_t)root;
	o->sum_s_per_B = a->sum_s_per_B > 0 ? a->sum_s_per_B : sum > 0 ? sum : 0;
	return true;
}

static void observe_row(struct model_request *a, const json_t *row)
{
	double size = row_number(row, COL_SIZE), occupation = row_number(row, COL_OCCUPATION);
	const char *load = row_text(row, COL_LOAD), *ack = row_text(row, COL_ACK),
		   *definition = document_definition(a->result);
	double time;
	struct observation o = {
		.window = whole_number(row, "window", MOST_COUNT, 1),
		.batch = whole_number(row, "batch", MOST_COUNT, 1),
		.loops = whole_number(row, "loops", MOST_COUNT, 1),
		.ranks = whole_number(row, "ranks", LOGGP_MOST, 0),
		.both = json_is_true(result_at(a->result, "options.bidirectional")),
		.read = row_cell(row, COL_READ_EPOCH) || strstr(definition, "window-read."),
		.benchmark = row_text(row, COL_BENCHMARK),
		.algorithm = row_text(row, COL_ALGORITHM),
		.sources = whole_number(row, "sources", MOST_COUNT, 0),
		.stages = whole_number(row, "stages", MOST_COUNT, 0),
		.destinations = whole_number(row, "destinations", MOST_COUNT, 0),
		.credits = whole_number(row, "credits", MOST_COUNT, 0),
		.occupation = occupation > 0 ? occupation : 0,
	};

	/* no model covers rows that were measured while a computing task ran */
	if (!(size >= 0 && size <= MOST_SIZE) || !o.window || !o.loops ||
	    (*load && strcmp(load, "none") != 0)) {
		a->left_out++;
		return;
	}
	o.size = (uint64_t)size;
	time = row_number(row, COL_TIME) / (double)o.loops / (double)o.window;
	if (observe_operation(a, row, &o)) {
		add_observation(a, &o, OBSERVED_COLLECTIVE, row_number(row, COL_COLLECTIVE));
	} else if (*o.benchmark) {
		add_observation(a, &o, OBSERVED_ATLAS, row_number(row, COL_EVENT));
	} else if (!strncmp(definition, "beff.ring.", strlen("beff.ring."))) {
		add_observation(a, &o, OBSERVED_RING,
				row_number(row, COL_TIME_MIN) / (double)o.loops);
	} else if (row_cell(row, COL_WINDOW)) {
		add_observation(a, &o, !strcmp(ack, "message")	   ? OBSERVED_ACKED
				       : !strcmp(ack, "transport") ? OBSERVED_COMPLETED
								   : OBSERVED_WINDOW, time);
	} else {
		add_observation(a, &o, OBSERVED_LATENCY,
				row_number(row, o.read ? COL_READ_EPOCH : COL_HALF_RTT_EPOCH));
		add_observation(a, &o, OBSERVED_GAP, o.read ? NAN : row_number(row, COL_GAP));
	}
}

/* ---- reporting ---- */

/*
 * Returns "bound" if the model only gives a bound, or NULL if it is exact. It is a bound for pull
 * farms with several destinations, which compete for the sources, and for farms that their credits
 * limit.
 */
static const char *bound_remark(const struct model_request *a, const struct observation *o)
{
	struct observation free = *o;

	if (strcmp(o->benchmark, "2.1") != 0 && strcmp(o->benchmark, "2.2") != 0)
		return NULL;
	free.credits = 0;
	if (!strcmp(o->benchmark, "2.2") && o->destinations > 1)
		return "bound";
	return a->form->predict(&free, (const char *)a + a->form->model) <
	       o->predicted * (1 - 1e-9) ? "bound" : NULL;
}

void against_put_rows(struct model_request *a)
{
	const struct observation *all = a->rows;

	for (const struct observation *o = all; o < all + a->n; o++) {
		const char *pattern = o->read ? "read" : tables[o->what].pattern;
		struct row row = { 0 };

		ROW_PUT(&row, &a->rec, { COL_PATTERN, val_text(pattern) },
			{ COL_BENCHMARK, val_text(o->benchmark) },
			{ COL_OPERATION, val_text(o->operation
						  ? operation_names[o->operation->op] : NULL) },
			{ COL_ALGORITHM, val_text(*o->algorithm ? o->algorithm : NULL) },
			{ COL_RANKS, form_count(o->ranks) },
			{ COL_SOURCES, form_count(o->sources) },
			{ COL_STAGES, form_count(o->stages) },
			{ COL_DESTINATIONS, form_count(o->destinations) },
			{ COL_CREDITS, form_count(o->credits) },
			{ COL_WINDOW, val_uint(o->window) },
			{ COL_OCCUPATION, val_real(o->sources ? o->occupation : NAN) },
			{ COL_BATCH, val_uint(o->batch) }, { COL_SIZE, val_uint(o->size) },
			{ COL_MODEL_TIME, val_real(o->predicted) },
			{ COL_MEASURED, val_real(o->measured) },
			{ COL_RATIO, val_real(o->measured / o->predicted) },
			{ COL_REMARK, val_text(bound_remark(a, o)) });
		form_write(a, &row);
	}
}

/*
 * Puts the deviations of the result from the model into the summary and into the first line of the
 * footer.
 */
static void summarise_deviations(struct model_request *a)
{
	const struct observation *all = a->rows;
	double *off = memory_new(a->n, sizeof(*off)), middle, most = -1;
	unsigned long long worst = 0;
	const struct text before = a->footer;

	for (size_t i = 0; i < a->n; i++) {
		off[i] = fabs(all[i].measured / all[i].predicted - 1);
		if (off[i] > most) {
			most = off[i];
			worst = all[i].size;
		}
	}
	middle = median(off, a->n);
	free(off);
	json_object_update_new(a->rec.summary,
			       json_pack("{s:I, s:I, s:f, s:f, s:I}",
					 "compared", (json_int_t)a->n,
					 "left_out", (json_int_t)a->left_out,
					 "deviation_p50", middle, "deviation_max", most,
					 "deviation_max_size_B", (json_int_t)worst));
	a->footer.n = 0;
	text_add(&a->footer, "\n%s: deviates from the model by %s %% (median of %zu), at most by "
		 "%s %% at %llu B%s%s", result_is_computed(a->result) ? "simulated" : "measured",
		 plain(100 * middle, 3).s, a->n, plain(100 * most, 3).s, worst,
		 a->left_out ? "; rows that the model does not predict are left out" : "",
		 before.s);
}

int plan_comparison(struct model_request *a)
{
	const char *path = a->o->against;
	enum observed what;
	json_t *row;
	size_t i;
	int err = result_read(path, &a->result);

	if (!err && result_sim_definition(a->result) == 1)
		err = error_usage("'%s' uses definition 1 of the simulated network, but the model "
				  "uses definition 2: simulate it again", path);
	if (err)
		return err;
	json_array_foreach(document_rows(a->result), i, row)
		observe_row(a, row);
	if (!a->n)
		return error_usage("this model predicts no row of '%s', which is a result of '%s'",
				  path, document_command(a->result));
	summarise_deviations(a);
	/* describes the result, so that the measurement can be repeated */
	json_object_set_new(a->parameters, "against",
			    json_pack("{s:s, s:s, s:s, s:s, s:b}", "file", path,
				      "command", document_command(a->result),
				      "definition", document_definition(a->result),
				      "command_line", result_text(a->result, LINE),
				      "computed", result_is_computed(a->result)));
	what = ((const struct observation *)a->rows)->what;
	a->rec.emulated = result_is_emulated(a->result);
	a->rec.cols = tables[what].cols;
	a->rec.ncols = tables[what].ncols;
	if (what == OBSERVED_COLLECTIVE) {
		a->rec.narrow = collective_narrow;
		a->rec.nnarrow = LENGTH(collective_narrow);
	}
	return ST_OK;
}
