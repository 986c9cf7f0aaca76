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
struct job {
	struct rdma p;
	struct point *points;
	size_t npoints;
};

/* ---- points ---- */

/* The name of a window and batch; NULL if they have none. */
static const char *name_of(const struct point *pt)
{
	for (size_t i = 0; i < NCONFIGURATIONS; i++)
		if (configurations[i].window == pt->window && configurations[i].batch == pt->batch)
			return configurations[i].name;
	return NULL;
}

static struct point *plan_configurations(const struct numbers *sizes, size_t *n)
{
	struct point *all = calloc(NCONFIGURATIONS * sizes->n, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < NCONFIGURATIONS && all; i++)
		for (size_t j = 0; j < sizes->n; j++)
			all[(*n)++] = (struct point){ .size = sizes->v[j], .window = configurations[i].window,
						      .batch = configurations[i].batch };
	return all;
}

/*
 * What --window and --batch say: without batches 1, without windows each batch a window; without both the
 * configurations.
 */
static int plan(struct job *job)
{
	uint64_t one = 1, widest = 0;
	struct numbers sizes, ones = { &one, 1 };
	const struct numbers *windows = model_opts.windows.n ? &model_opts.windows : &model_opts.batches;
	const struct numbers *batches = model_opts.batches.n ? &model_opts.batches : &ones;
	int err = model_sizes(&sizes, usual_sizes, sizeof(usual_sizes) / sizeof(usual_sizes[0]));

	if (err)
		return err;
	for (size_t i = 0; i < windows->n; i++)
		widest = windows->v[i] > widest ? windows->v[i] : widest;
	for (size_t i = 0; i < batches->n && windows->n && !err; i++)
		if (batches->v[i] > widest)
			err = error_usage("value '%llu' of '--batch' is larger than any window",
					  (unsigned long long)batches->v[i]);
	if (!err)
		job->points = windows->n ? plan_points(&sizes, windows, batches, &job->npoints)
					 : plan_configurations(&sizes, &job->npoints);
	free(sizes.v);
	return err || job->points ? err : error_report("no memory for the plan");
}

/* ---- report ---- */

static int rows(struct report *r, const struct record *rec, const void *arg)
{
	const struct job *job = arg;
	int err = ST_OK;

	for (size_t i = 0; i < job->npoints && !err; i++) {
		const struct point *pt = &job->points[i];
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

static json_t *describe(const struct rdma *p)
{
	json_t *env = env_collect();

	json_object_set_new(env, "rdma", like_rdma_object(p, model_opts.example ? "example, not measured" : "command line"));
	return env;
}

static int report_rates(struct job *job, const char *title)
{
	struct record rec = { .computed = true, .definition = "model.rdma.v1", .title = title, .cols = cols, .heads = heads,
			      .ncols = sizeof(cols) / sizeof(cols[0]) };
	int err = plan(job);

	if (err)
		return err;
	rec.environment = describe(&job->p);
	err = model_write(&rec, rows, job);
	free(job->points);
	return err;
}

static int report_against(const struct job *job, const char *title)
{
	struct record rec = { .computed = true, .definition = "model.rdma-against.v1", .title = title };

	rec.environment = describe(&job->p);
	return model_against(&rec, predict_rdma, &job->p);
}

static int run(void)
{
	struct job job = { .npoints = 0 };
	char title[160];
	int err = opts_exclude("rdma", "example");

	err = err ? err : rdma_parse(model_opts.example ? rdma_example : model_opts.rdma, &job.p);
	if (err)
		return err;
	job.p.serial = model_opts.serial;
	snprintf(title, sizeof(title), "netbench %s model: RDMA%s%s%s", NETBENCH_VERSION,
		 model_opts.example ? ", parameters are an example, not measured" : "",
		 model_opts.serial ? ", interface does work and bytes one after the other" : "",
		 model_opts.against ? ", against a result" : "");
	return model_opts.against ? report_against(&job, title) : report_rates(&job, title);
}

const struct mode model_rdma = { .by = { "rdma", "example", .bit = MODEL_RDMA }, .run = run };
const struct mode model_rdma_against = {
	.by = { "rdma", "example", .with = "against", .bit = MODEL_RDMA_AGAINST },
	.run = run,
};
