/* SPDX-License-Identifier: Apache-2.0 */
/* RDMA: latency, and the message rate of one connection as the slowest of its stages allows it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/model/model.h"
#include "config.h"
#include "host/record.h"
#include "base/error.h"
#include "model/parameters.h"
#include "model/preset.h"
#include "model/rdma.h"
#include "measure/plan.h"

static const uint64_t usual_sizes[] = { 16, 256, 1024, 4096, 65536 };

static const enum column_id cols[] = {
	COL_CONFIGURATION, COL_WINDOW, COL_BATCH, COL_SIZE, COL_MODEL_TIME, COL_MODEL_RATE,
	COL_MODEL_BANDWIDTH, COL_BINDING, COL_MODEL_RTT, COL_KNEE,
};

static const char *const heads[] = { NULL, NULL,  NULL, NULL, "latency",
				     NULL, "B/s", NULL, NULL, NULL };
_Static_assert(sizeof(heads) / sizeof(heads[0]) == sizeof(cols) / sizeof(cols[0]),
	       "a heading a column");

struct rdma_report {
	const struct settings *st;
	const struct model_options *o;
	struct rdma p;
	struct plan plan;	/* its specs: sizes, windows and batches */
};

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

static int run(const struct settings *st)
{
	struct rdma_report r = { .st = st, .o = st->own };
	const char *source = r.o->example ? "example, not measured" : "command line";
	char title[160];
	struct record rec = MODEL_RECORD("model.rdma.v1", title, cols);
	int err = settings_exclude(st, "rdma", "example");

	err = err ? err : rdma_parse(r.o->example ? rdma_example : r.o->rdma, &r.p);
	if (!err && !r.o->against)
		err = plan(&r);
	if (err) {
		plan_free(&r.plan);
		return err;
	}
	r.p.serial = r.o->serial;
	snprintf(title, sizeof(title), "netbench %s model: RDMA%s%s%s", NETBENCH_VERSION,
		 r.o->example ? ", parameters are an example, not measured" : "",
		 r.o->serial ? ", interface does work and bytes one after the other" : "",
		 r.o->against ? ", against a result" : "");
	rec.heads = r.o->against ? NULL : heads;
	rec.environment = host_collect();
	json_object_set_new(rec.environment, "rdma", parameters_rdma_object(&r.p, source));
	if (r.o->against) {
		rec.definition = "model.rdma-against.v1";
		err = model_against(st, &rec, predict_rdma, &r.p);
	} else {
		err = model_write(st, &rec, r.plan.n, fill, &r);
	}
	plan_free(&r.plan);
	return err;
}

const struct mode model_rdma = { .by = { "rdma", "example", .bit = MODEL_RDMA }, .run = run };
const struct mode model_rdma_against = {
	.by = { "rdma", "example", .with = "against", .bit = MODEL_RDMA_AGAINST },
	.run = run,
};
