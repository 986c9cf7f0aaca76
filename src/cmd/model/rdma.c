/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/rdma.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/against.h"
#include "measure/sink/describe.h"
#include "model/parameters.h"
#include "model/preset.h"

int rdma_read_parameters(struct model_request *a)
{
	static const char *const loggp_only[] = { "messages", "pattern", "segment", "destinations",
						  "occupation", "ack" };
	const struct model_values *o = a->o;
	const char *said = model_rdma_parameters(o);
	char source[256], footer[DESCRIBE_RDMA];
	int err = ST_OK;

	for (size_t i = 0; i < LENGTH(loggp_only); i++)
		if (settings_given(a->st, loggp_only[i]))
			return error_usage("option '--%s' is not for parameters of the RDMA form, "
					   "which '%s' has", loggp_only[i], o->like);
	snprintf(source, sizeof(source), "%s",
		 o->example ? "example, not measured" : "command line");
	if (o->example)
		err = rdma_parse(rdma_example, &a->rdma);
	else if (a->file)
		err = parameters_rdma_take(o->like ? o->like : o->rdma, a->file, &a->rdma, source,
					   sizeof(source));
	if (a->file && said)
		snprintf(source + strlen(source), sizeof(source) - strlen(source),
			 ", and command line");
	a->rdma.serial = o->serial;
	a->rdma.read |= o->read;
	if (!err && said)
		err = rdma_parse(said, &a->rdma);
	if (err)
		return err;
	text_add(&a->title, "RDMA%s%s%s%s", a->rdma.read ? " reads" : "",
		   o->example ? ", parameters are an example, not measured" : "",
		   a->rdma.serial ? ", interfaces do work and bytes one after the other" : "",
		   o->against ? ", against a result" : "");
	text_add(&a->footer, "%s", describe_rdma(footer, sizeof(footer), &a->rdma, source));
	json_object_set_new(a->parameters, "rdma", parameters_rdma_object(&a->rdma, source));
	return ST_OK;
}

/*
 * Plans the points (window and batch) that --window and --batch give. If only --window is given,
 * the batch is 1. If only --batch is given, each window equals its batch. If neither is given, the
 * presets apply. Returns ST_OK or an error (reported).
 */
static int plan_rates(struct model_request *a)
{
	const struct model_values *o = a->o;
	uint64_t one = 1, widest = 0;
	struct numbers ones = { &one, 1 };
	struct spec spec = { 0 };
	const struct numbers *windows = o->windows.n ? &o->windows : &o->batches;
	const struct numbers *batches = o->batches.n ? &o->batches : &ones;
	int err = ST_OK;

	for (size_t i = 0; i < windows->n; i++)
		widest = windows->v[i] > widest ? windows->v[i] : widest;
	for (size_t i = 0; i < batches->n && windows->n && !err; i++)
		if (batches->v[i] > widest)
			err = error_usage("value '%llu' of '--batch' is larger than any window",
					  (unsigned long long)batches->v[i]);
	if (!err && windows->n)
		err = plan_add_windows(&a->plan, &spec, windows, batches);
	for (size_t i = 0; i < PRESETS && !windows->n && !err; i++) {
		spec.window = presets[i].window;
		spec.batch = presets[i].batch;
		err = plan_add_sizes(&a->plan, &spec);
	}
	return err;
}

static void put_rates(struct model_request *a)
{
	for (size_t i = 0; i < a->plan.n; i++) {
		const struct spec *spec = &a->plan.specs[i];
		double size = (double)spec->size;
		struct rdma_rate r = rdma_rate(&a->rdma, size, spec->window, spec->batch);

		FORM_ROW(a, val_text(preset_name(spec->window, spec->batch)),
			 val_uint(spec->window), val_uint(spec->batch), val_uint(spec->size),
			 val_real(rdma_latency(&a->rdma, size)), val_real(r.rate),
			 val_real(size > 0 ? r.rate * size : NAN),
			 val_text(rdma_bound_names[r.bound]), val_real(r.rtt), val_real(r.knee));
	}
}

const struct form rdma_against_form = {
	FORM_BY("rdma", "example", "against", RDMA_OPTIONS " against"), "model.rdma-against.v2",
	.plan = rdma_read_parameters, FORM_AGAINST(predict_rdma, rdma)
};

const struct form rdma_form = {
	FORM_BY("rdma", "example", NULL, RDMA_OPTIONS " window batch" FORM_SIZED), "model.rdma.v2",
	FORM_COLUMNS(COL_CONFIGURATION, COL_WINDOW, COL_BATCH, COL_SIZE, COL_MODEL_TIME,
		     COL_MODEL_RATE, COL_MODEL_BANDWIDTH, COL_BINDING, COL_MODEL_RTT, COL_KNEE),
	FORM_SPARE(COL_KNEE, COL_MODEL_RTT, COL_CONFIGURATION),
	FORM_HEADS(10, [4] = "latency", [6] = "B/s"), .plan = rdma_read_parameters,
	FORM_SIZES(16, 256, 1024, 4096, 65536), .then = plan_rates, .put_rows = put_rates
};
