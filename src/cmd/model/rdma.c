/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA: latency, the message rate of one connection as the slowest of its stages allows it, and one
 * message through these.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "model/parameters.h"
#include "model/preset.h"
#include "model/rdma.h"
#include "measure/sink/describe.h"
#include "measure/plan/plan.h"

static const uint64_t usual_sizes[] = { 16, 256, 1024, 4096, 65536 };

static const enum column_id cols[] = {
	COL_CONFIGURATION, COL_WINDOW, COL_BATCH, COL_SIZE, COL_MODEL_TIME, COL_MODEL_RATE,
	COL_MODEL_BANDWIDTH, COL_BINDING, COL_MODEL_RTT, COL_KNEE,
};

static const char *const heads[] = { NULL, NULL,  NULL, NULL, "latency",
				     NULL, "B/s", NULL, NULL, NULL };
_Static_assert(sizeof(heads) / sizeof(heads[0]) == sizeof(cols) / sizeof(cols[0]),
	       "a heading a column");

static const enum column_id spare[] = { COL_KNEE, COL_MODEL_RTT, COL_CONFIGURATION };

struct rdma_report {
	const struct settings *st;
	const struct model_options *o;
	struct rdma p;
	char source[256];	/* where the parameters come from */
	char title[320], footer[DESCRIBE_RDMA];
	struct plan plan;	/* its specs: sizes, windows and batches */
};

/* ---- parameters ---- */

/* The file that --like or --rdma names; NULL if there is none. */
static const char *file_of(const struct model_options *o)
{
	return o->like ? o->like : o->rdma && !strchr(o->rdma, '=') ? o->rdma : NULL;
}

/* From the document of a file, NULL if none is named, and what --rdma says; or the example. */
static int take_parameters(struct rdma_report *r, const json_t *doc)
{
	const struct model_options *o = r->o;
	const char *said = o->rdma && strchr(o->rdma, '=') ? o->rdma : NULL;
	int err = ST_OK;

	snprintf(r->source, sizeof(r->source), "%s",
		 o->example ? "example, not measured" : "command line");
	if (o->example)
		err = rdma_parse(rdma_example, &r->p);
	else if (doc)
		err = parameters_rdma_take(file_of(o), doc, &r->p, r->source, sizeof(r->source));
	if (doc && said)
		snprintf(r->source + strlen(r->source), sizeof(r->source) - strlen(r->source),
			 ", and command line");
	r->p.serial = o->serial;
	r->p.read |= o->read;
	return err || !said ? err : rdma_parse(said, &r->p);
}

static int check_options(const struct settings *st)
{
	const struct model_options *o = st->own;

	if (settings_exclude(st, "rdma", "example") || settings_exclude(st, "like", "example"))
		return ST_USAGE;
	if (o->like && o->rdma && !strchr(o->rdma, '='))
		return error_usage("'--like' and '--rdma' both name a file: give one of them");
	return ST_OK;
}

/*
 * The points of --window and --batch: without batches 1, without windows each batch is a window,
 * without both the presets.
 */
static int plan(struct rdma_report *r)
{
	uint64_t one = 1, widest = 0;
	struct numbers ones = { &one, 1 };
	struct spec spec = { 0 };
	const struct numbers *windows = r->o->windows.n ? &r->o->windows : &r->o->batches;
	const struct numbers *batches = r->o->batches.n ? &r->o->batches : &ones;
	int err = model_sizes(r->st, &r->plan.sizes, usual_sizes,
			      sizeof(usual_sizes) / sizeof(usual_sizes[0]));

	if (err)
		return err;
	for (size_t i = 0; i < windows->n; i++)
		widest = windows->v[i] > widest ? windows->v[i] : widest;
	for (size_t i = 0; i < batches->n && windows->n && !err; i++)
		if (batches->v[i] > widest)
			err = error_usage("value '%llu' of '--batch' is larger than any window",
					  (unsigned long long)batches->v[i]);
	if (err || windows->n)
		return err ? err : plan_add_windows(&r->plan, &spec, windows, batches);
	for (size_t i = 0; i < PRESETS && !err; i++) {
		spec.window = presets[i].window;
		spec.batch = presets[i].batch;
		err = plan_add_sizes(&r->plan, &spec);
	}
	return err;
}

/* ---- report ---- */

static void fill(const void *arg, size_t i, const struct record *rec, struct row *row)
{
	const struct rdma_report *r = arg;
	const struct spec *spec = &r->plan.specs[i];
	double size = (double)spec->size;
	struct rdma_rate rate = rdma_rate(&r->p, size, spec->window, spec->batch);
	const char *preset = preset_name(spec->window, spec->batch);

	if (preset)
		row_set(row, rec, COL_CONFIGURATION, val_text(preset));
	row_set(row, rec, COL_WINDOW, val_uint(spec->window));
	row_set(row, rec, COL_BATCH, val_uint(spec->batch));
	row_set(row, rec, COL_SIZE, val_uint(spec->size));
	row_set(row, rec, COL_MODEL_TIME, val_real(rdma_latency(&r->p, size)));
	row_set(row, rec, COL_MODEL_RATE, val_real(rate.rate));
	if (spec->size)
		row_set(row, rec, COL_MODEL_BANDWIDTH, val_real(rate.rate * size));
	row_set(row, rec, COL_BINDING, val_text(rdma_bound_names[rate.bound]));
	row_set(row, rec, COL_MODEL_RTT, val_real(rate.rtt));
	row_set(row, rec, COL_KNEE, val_real(rate.knee));
}

static int report_rates(struct rdma_report *r, struct record *rec)
{
	int err = plan(r);

	rec->definition = "model.rdma.v2";
	rec->cols = cols;
	rec->ncols = sizeof(cols) / sizeof(cols[0]);
	rec->heads = heads;
	MODEL_SPARE(rec, spare);
	rec->footer = r->footer;
	if (err)
		json_decref(rec->environment);
	else
		err = model_write(r->st, rec, r->plan.n, fill, r);
	plan_free(&r->plan);
	return err;
}

/* ---- against a result ---- */

static int report_against(struct rdma_report *r, struct record *rec)
{
	rec->definition = "model.rdma-against.v2";
	rec->footer = r->footer;
	return model_against(r->st, rec, predict_rdma, &r->p);
}

/* ---- one message ---- */

static int report_schedule(struct rdma_report *r, struct record *rec)
{
	static const char *const places[RDMA_PLACES] = { "P0", "P0 NIC", "P1 NIC", "P1" };
	static const uint64_t usual[] = { 16 };
	struct stage stages[STAGES_MOST];
	struct model_message m = { "model.rdma-schedule.v1", r->title, r->footer, places,
				   RDMA_PLACES, stages, 0, true };
	size_t len = strlen(r->title);
	struct numbers sizes = { .n = 0 };
	int err = model_sizes(r->st, &sizes, usual, 1);

	if (!err && sizes.n > 1)
		err = error_usage("'--schedule' is of one message, and %zu sizes are given",
				  sizes.n);
	if (err) {
		json_decref(rec->environment);
	} else {
		m.n = stages_rdma(&r->p, (double)sizes.v[0], stages);
		snprintf(r->title + len, sizeof(r->title) - len, ", one %s of %llu B",
			 r->p.read ? "read" : "message", (unsigned long long)sizes.v[0]);
		err = model_put_message(r->st, &m, rec->environment);
	}
	free(sizes.v);
	return err;
}

/* ---- which report ---- */

static int report(const struct settings *st, const json_t *doc)
{
	struct rdma_report r = { .st = st, .o = st->own };
	struct record rec = { .computed = true, .title = r.title };
	int err = take_parameters(&r, doc);

	if (err)
		return err;
	snprintf(r.title, sizeof(r.title), "netbench %s model: RDMA%s%s%s%s", NETBENCH_VERSION,
		 r.p.read ? " reads" : "",
		 r.o->example ? ", parameters are an example, not measured" : "",
		 r.p.serial ? ", interfaces do work and bytes one after the other" : "",
		 r.o->against ? ", against a result" : "");
	describe_rdma(r.footer, sizeof(r.footer), &r.p, r.source);
	rec.environment = host_collect();
	json_object_set_new(rec.environment, "rdma", parameters_rdma_object(&r.p, r.source));
	if (r.o->against)
		return report_against(&r, &rec);
	return r.o->schedule ? report_schedule(&r, &rec) : report_rates(&r, &rec);
}

static int run(const struct settings *st)
{
	const char *path = file_of(st->own);
	json_t *doc = NULL;
	int err = check_options(st);

	err = err || !path ? err : parameters_load(path, &doc);
	err = err ? err : report(st, doc);
	json_decref(doc);
	return err;
}

int model_rdma_like(const struct settings *st, const json_t *doc)
{
	static const char *const of_loggp[] = { "messages", "pattern", "segment", "destinations",
						"occupation", "ack" };
	const struct model_options *o = st->own;

	for (size_t i = 0; i < sizeof(of_loggp) / sizeof(of_loggp[0]); i++)
		if (settings_given(st, of_loggp[i]))
			return error_usage("option '--%s' does not go with parameters of the "
					   "RDMA form, which '%s' has", of_loggp[i], o->like);
	return report(st, doc);
}

const struct mode model_rdma = { .by = { "rdma", "example", .bit = MODEL_RDMA }, .run = run };
const struct mode model_rdma_schedule = {
	.by = { "rdma", "example", .with = "schedule", .bit = MODEL_RDMA_SCHEDULE },
	.run = run,
};
const struct mode model_rdma_against = {
	.by = { "rdma", "example", .with = "against", .bit = MODEL_RDMA_AGAINST },
	.run = run,
};
