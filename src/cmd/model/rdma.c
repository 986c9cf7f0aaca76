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
#include "model/rdma.h"
#include "measure/plan.h"

static const uint64_t usual_sizes[] = { 16, 256, 1024, 4096, 65536 };

/* The configurations of the thesis that the model is from; msgrate --preset has the same. */
static const struct {
	const char *name;
	uint32_t window, batch;
} configurations[] = { { "sequential", 1, 1 }, { "unbatched", 64, 1 }, { "batched", 256, 8 } };
#define NCONFIGURATIONS (sizeof(configurations) / sizeof(configurations[0]))

static const enum column_id cols[] = { COL_CONFIGURATION, COL_WINDOW, COL_BATCH, COL_SIZE, COL_MODEL_TIME,
				       COL_MODEL_RATE, COL_MODEL_BANDWIDTH, COL_BINDING, COL_MODEL_RTT, COL_KNEE };

static const char *const heads[] = { NULL, NULL, NULL, NULL, "latency", NULL, "B/s", NULL, NULL, NULL };
_Static_assert(sizeof(heads) / sizeof(heads[0]) == sizeof(cols) / sizeof(cols[0]), "a heading a column");

/* What a report is of. */
struct rdma_report {
	const struct settings *st;
	const struct model_options *o;
	struct rdma p;
	struct plan plan;	/* its specs: sizes, windows and batches */
};

/* ---- points ---- */

/* The name of a window and batch; NULL if they have none. */
static const char *name_of(const struct spec *pt)
{
	for (size_t i = 0; i < NCONFIGURATIONS; i++)
		if (configurations[i].window == pt->window && configurations[i].batch == pt->batch)
			return configurations[i].name;
	return NULL;
}

/*
 * What --window and --batch say: without batches 1, without windows each batch a window; without both the
 * configurations.
 */
static int plan(struct rdma_report *job)
{
	uint64_t one = 1, widest = 0;
	struct numbers ones = { &one, 1 };
	struct spec spec = { 0 };
	const struct numbers *windows = job->o->windows.n ? &job->o->windows : &job->o->batches;
	const struct numbers *batches = job->o->batches.n ? &job->o->batches : &ones;
	int err = model_sizes(job->st, &job->plan.sizes, usual_sizes, sizeof(usual_sizes) / sizeof(usual_sizes[0]));

	if (err)
		return err;
	for (size_t i = 0; i < windows->n; i++)
		widest = windows->v[i] > widest ? windows->v[i] : widest;
	for (size_t i = 0; i < batches->n && windows->n && !err; i++)
		if (batches->v[i] > widest)
			err = error_usage("value '%llu' of '--batch' is larger than any window",
					  (unsigned long long)batches->v[i]);
	if (err || windows->n)
		return err ? err : plan_add_windows(&job->plan, &spec, windows, batches);
	for (size_t i = 0; i < NCONFIGURATIONS && !err; i++) {
		spec.window = configurations[i].window;
		spec.batch = configurations[i].batch;
		err = plan_add_sizes(&job->plan, &spec);
	}
	return err;
}

/* ---- report ---- */

static int rows(struct report *r, const struct record *rec, const void *arg)
{
	const struct rdma_report *job = arg;
	int err = ST_OK;

	for (size_t i = 0; i < job->plan.n && !err; i++) {
		const struct spec *pt = &job->plan.specs[i];
		struct rdma_rate rate = rdma_rate(&job->p, (double)pt->size, pt->window, pt->batch);
		struct row row = { 0 };

		if (name_of(pt))
			row_set(&row, rec, COL_CONFIGURATION, val_text(name_of(pt)));
		row_set(&row, rec, COL_WINDOW, val_uint(pt->window));
		row_set(&row, rec, COL_BATCH, val_uint(pt->batch));
		row_set(&row, rec, COL_SIZE, val_uint(pt->size));
		row_set(&row, rec, COL_MODEL_TIME, val_real(rdma_latency(&job->p, (double)pt->size)));
		row_set(&row, rec, COL_MODEL_RATE, val_real(rate.rate));
		if (pt->size)
			row_set(&row, rec, COL_MODEL_BANDWIDTH, val_real(rate.rate * (double)pt->size));
		row_set(&row, rec, COL_BINDING, val_text(rdma_bound_names[rate.bound]));
		row_set(&row, rec, COL_MODEL_RTT, val_real(rate.rtt));
		row_set(&row, rec, COL_KNEE, val_real(rate.knee));
		err = report_row(r, rec, &row);
	}
	return err;
}

static json_t *describe(const struct rdma_report *job)
{
	json_t *env = host_collect();

	json_object_set_new(env, "rdma", parameters_rdma_object(&job->p, job->o->example ? "example, not measured" : "command line"));
	return env;
}

static int report_rates(struct rdma_report *job, const char *title)
{
	struct record rec = { .computed = true, .definition = "model.rdma.v1", .title = title, .cols = cols, .heads = heads,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };
	int err = plan(job);

	if (!err) {
		rec.environment = describe(job);
		err = model_write(job->st, &rec, rows, job);
	}
	plan_free(&job->plan);
	return err;
}

static int report_against(const struct rdma_report *job, const char *title)
{
	struct record rec = { .computed = true, .definition = "model.rdma-against.v1", .title = title };

	rec.environment = describe(job);
	return model_against(job->st, &rec, predict_rdma, &job->p);
}

static int run(const struct settings *st)
{
	struct rdma_report job = { .st = st, .o = st->own };
	char title[160];
	int err = settings_exclude(st, "rdma", "example");

	err = err ? err : rdma_parse(job.o->example ? rdma_example : job.o->rdma, &job.p);
	if (err)
		return err;
	job.p.serial = job.o->serial;
	snprintf(title, sizeof(title), "netbench %s model: RDMA%s%s%s", NETBENCH_VERSION,
		 job.o->example ? ", parameters are an example, not measured" : "",
		 job.o->serial ? ", interface does work and bytes one after the other" : "",
		 job.o->against ? ", against a result" : "");
	return job.o->against ? report_against(&job, title) : report_rates(&job, title);
}

const struct mode model_rdma = { .by = { "rdma", "example", .bit = MODEL_RDMA }, .run = run };
const struct mode model_rdma_against = {
	.by = { "rdma", "example", .with = "against", .bit = MODEL_RDMA_AGAINST },
	.run = run,
};
