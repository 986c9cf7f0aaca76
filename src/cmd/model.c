/* SPDX-License-Identifier: Apache-2.0 */
/* What a network should reach, by formula: options, and which model is asked for. */
#include "cmd/model.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "env.h"
#include "error.h"
#include "plan.h"

struct model_opts model_opts;

static const struct opt options[] = {
	{ 0, "board", "name", OPT_TEXT, offsetof(struct model_opts, board),
	  .help = "520n, 520n-meas, vnx-100g, vnx-100g-switch, or "
		  "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2" },
	{ 0, "fit", "file", OPT_TEXT, offsetof(struct model_opts, fit),
	  .help = "fit LogGP's parameters to a result of model --measure" },
	{ 'n', "cards", "count", OPT_UINT, offsetof(struct model_opts, cards), .def = "1", .min = 1,
	  .max = 1e6, .help = "cards in the ring" },
	{ 0, "serial", NULL, OPT_FLAG, offsetof(struct model_opts, serial),
	  .help = "send and receive loops one after the other: twice the time" },
	{ 'm', "max-size", "log2", OPT_UINT, offsetof(struct model_opts, max_size), .def = "20",
	  .max = 40, .help = "largest message is 2^log2 bytes" },
	{ 0, "min-size", "log2", OPT_UINT, offsetof(struct model_opts, min_size), .def = "0",
	  .max = 40, .help = "smallest message is 2^log2 bytes" },
	{ 0, "sizes", "list", OPT_SIZES, offsetof(struct model_opts, sizes), .max = 1e15,
	  .help = "message sizes instead: 64,4k or 1k:64k:*2" },
	{ 0 },
};

/* What each model answers to, and the other options that it takes. */
static const struct model {
	const char *option;
	const char *takes[16];
	int (*run)(void);
} models[] = {
	{ "fit", { NULL }, model_fit },
	{ "board", { "cards", "serial", "max-size", "min-size", "sizes" }, model_board },
};
#define NMODELS (sizeof(models) / sizeof(models[0]))

int model_sizes(struct numbers *sizes)
{
	if (opts_exclude("sizes", "max-size") || opts_exclude("sizes", "min-size"))
		return ST_USAGE;
	return plan_sizes(&model_opts.sizes, model_opts.min_size, model_opts.max_size, sizes);
}

int model_write(struct record *rec, int (*rows)(struct report *r, const struct record *rec, const void *arg),
		const void *arg)
{
	struct opt_table tables[] = { { "options", options, &model_opts } };
	struct report *r = NULL;
	int err;

	rec->command = "model";
	rec->computed = true;
	rec->status = "complete";
	rec->options = opts_dump(tables, 1);
	rec->environment = rec->environment ? rec->environment : env_collect();
	rec->summary = rec->summary ? rec->summary : json_object();
	rec->warnings = rec->warnings ? rec->warnings : json_array();
	err = report_open(&r, (enum format)output_opts.format, output_opts.outputs.v, output_opts.outputs.n);
	err = err ? err : report_begin(r, rec);
	err = err ? err : rows(r, rec, arg);
	err = err ? err : report_end(r, rec);
	if (report_close(r) && !err)
		err = ST_FAILED;
	json_decref(rec->options);
	json_decref(rec->environment);
	json_decref(rec->summary);
	json_decref(rec->warnings);
	return err;
}

static bool takes(const struct model *m, const char *option)
{
	if (!strcmp(m->option, option))
		return true;
	for (size_t i = 0; i < sizeof(m->takes) / sizeof(m->takes[0]) && m->takes[i]; i++)
		if (!strcmp(m->takes[i], option))
			return true;
	return false;
}

/* No model is asked for: says which there are. */
static int report_none(void)
{
	char list[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < NMODELS && len < sizeof(list); i++)
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s'--%s'", i ? ", " : "", models[i].option);
	return error_usage("no model is asked for: which of %s?", list);
}

/* The one model that is asked for. */
static int find_model(const struct model **found)
{
	*found = NULL;
	for (size_t i = 0; i < NMODELS; i++) {
		if (!opts_given(models[i].option))
			continue;
		if (*found)
			return opts_exclude((*found)->option, models[i].option);
		*found = &models[i];
	}
	if (!*found)
		return report_none();
	for (const struct opt *o = options; o->name; o++)
		if (opts_given(o->name) && !takes(*found, o->name))
			return error_usage("option '--%s' does not go with '--%s'", o->name, (*found)->option);
	return ST_OK;
}

static int run(int n, char **operands)
{
	const struct model *m;
	int err = find_model(&m);

	(void)n;
	(void)operands;
	return err ? err : m->run();
}

static const struct command *meant(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--measure"))
			return &cmd_model_measure;
	return &cmd_model;
}

const struct command cmd_model = {
	.name = "model",
	.summary = "what a network should reach, by formula",
	.options = options,
	.values = &model_opts,
	.output = true,
	.run = run,
	.meant = meant,
};
