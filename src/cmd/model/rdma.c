/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/rdma.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/model/schedule.h"
#include "measure/sink/describe.h"
#include "model/parameters.h"
#include "model/preset.h"

/* The parameters that --rdma says, NULL if it names a file or was not given. */
static const char *said_of(const struct model_values *o)
{
	return o->rdma && strchr(o->rdma, '=') ? o->rdma : NULL;
}

/* From the document of a file, NULL if none is named, and what --rdma says; or the example. */
static int take_parameters(struct asked *a, const json_t *doc)
{
	const struct model_values *o = a->o;
	const char *said = said_of(o);
	char source[256];
	int err = ST_OK;

	snprintf(source, sizeof(source), "%s",
		 o->example ? "example, not measured" : "command line");
	if (o->example)
		err = rdma_parse(rdma_example, &a->rdma);
	else if (doc)
		err = parameters_rdma_take(o->like ? o->like : o->rdma, doc, &a->rdma, source,
					   sizeof(source));
	if (doc && said)
		snprintf(source + strlen(source), sizeof(source) - strlen(source),
			 ", and command line");
	a->rdma.serial = o->serial;
	a->rdma.read |= o->read;
	if (!err && said)
		err = rdma_parse(said, &a->rdma);
	if (err)
		return err;
	form_title(a, "RDMA%s%s%s%s", a->rdma.read ? " reads" : "",
		   o->example ? ", parameters are an example, not measured" : "",
		   a->rdma.serial ? ", interfaces do work and bytes one after the other" : "",
		   o->against ? ", against a result" : "");
	describe_rdma(a->footer, DESCRIBE_RDMA, &a->rdma, source);
	json_object_set_new(a->parameters, "rdma", parameters_rdma_object(&a->rdma, source));
	return ST_OK;
}

/*
 * The points of --window and --batch: without batches 1, without windows each batch is a window,
 * without both the presets.
 */
static int plan_rates(struct asked *a)
{
	static const uint64_t usual[] = { 16, 256, 1024, 4096, 65536 };
	const struct model_values *o = a->o;
	uint64_t one = 1, widest = 0;
	struct numbers ones = { &one, 1 };
	struct spec spec = { 0 };
	const struct numbers *windows = o->windows.n ? &o->windows : &o->batches;
	const struct numbers *batches = o->batches.n ? &o->batches : &ones;
	int err = form_sizes(a, usual, LENGTH(usual));

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
	a->n = a->plan.n;
	return err;
}

static int plan_with(struct asked *a, const json_t *doc)
{
	int err = take_parameters(a, doc);

	if (err || a->o->against)
		return err;
	return a->o->schedule ? schedule_plan_rdma(a) : plan_rates(a);
}

int rdma_plan(struct asked *a)
{
	const struct model_values *o = a->o;
	const char *path = o->like ? o->like : said_of(o) ? NULL : o->rdma;
	json_t *doc = NULL;
	int err;

	if (settings_exclude(a->st, "rdma", "example") ||
	    settings_exclude(a->st, "like", "example"))
		return ST_USAGE;
	if (o->like && o->rdma && !said_of(o))
		return error_usage("'--like' and '--rdma' both name a file: give one of them");
	err = path ? parameters_load(path, &doc) : ST_OK;
	if (!err)
		err = plan_with(a, doc);
	json_decref(doc);
	return err;
}

int rdma_plan_like(struct asked *a, const json_t *doc)
{
	static const char *const of_loggp[] = { "messages", "pattern", "segment", "destinations",
						"occupation", "ack" };

	for (size_t i = 0; i < LENGTH(of_loggp); i++)
		if (settings_given(a->st, of_loggp[i]))
			return error_usage("option '--%s' does not go with parameters of the "
					   "RDMA form, which '%s' has", of_loggp[i], a->o->like);
	return plan_with(a, doc);
}

void rdma_fill(const struct asked *a, size_t i, const struct record *rec, struct row *row)
{
	const struct spec *spec = &a->plan.specs[i];
	double size = (double)spec->size;
	struct rdma_rate rate = rdma_rate(&a->rdma, size, spec->window, spec->batch);

	ROW_PUT(row, rec,
		{ COL_CONFIGURATION, form_text(preset_name(spec->window, spec->batch)) },
		{ COL_WINDOW, val_uint(spec->window) }, { COL_BATCH, val_uint(spec->batch) },
		{ COL_SIZE, val_uint(spec->size) },
		{ COL_MODEL_TIME, val_real(rdma_latency(&a->rdma, size)) },
		{ COL_MODEL_RATE, val_real(rate.rate) },
		{ COL_MODEL_BANDWIDTH, val_real(size > 0 ? rate.rate * size : NAN) },
		{ COL_BINDING, val_text(rdma_bound_names[rate.bound]) },
		{ COL_MODEL_RTT, val_real(rate.rtt) }, { COL_KNEE, val_real(rate.knee) });
}
