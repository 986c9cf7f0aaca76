/* SPDX-License-Identifier: Apache-2.0 */
/* What a network should reach, by formula: options, and which model is asked for. */
#include "cmd/model/model.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "host/record.h"
#include "model/logp.h"
#include "base/error.h"
#include "measure/plan.h"

struct model_opts model_opts;

static const char *const schedules[] = { "none", "table", "tree", "svg", "dot", NULL };

#define AT(member) offsetof(struct model_opts, member)

static const struct opt options[] = {
	{ 0, "board", "name", OPT_TEXT, AT(board),
	  .help = "an FPGA board: 520n, 520n-meas, vnx-100g, vnx-100g-switch, or "
		  "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2" },
	{ 0, "measure", NULL, OPT_FLAG, AT(measure),
	  .help = "measure LogGP's parameters, with options of its own: see model --measure --help" },
	{ 0, "fit", "file", OPT_TEXT, AT(fit), .help = "fit LogGP's parameters to a result of model --measure" },
	{ 0, "logp", "parameters", OPT_TEXT, AT(logp),
	  .help = "LogP, short messages: L=6,o=2,g=4,P=8 in cycles, or with units in seconds" },
	{ 0, "loggp", "parameters", OPT_TEXT, AT(loggp),
	  .help = "LogGP, messages of any size: L=1us,o=200ns,g=300ns,G=0.1ns,P=8; in ns without a unit" },
	{ 0, "like", "file", OPT_TEXT, AT(like), .help = "LogGP with the parameters in a result" },
	{ 0, "rdma", "parameters", OPT_TEXT, AT(rdma),
	  .help = "message rate of RDMA: o_wqe=20,o_db=65,...; in ns without a unit" },
	{ 0, "example", NULL, OPT_FLAG, AT(example), .help = "RDMA with parameters that are an example, not measured" },
	{ 0, "against", "file", OPT_TEXT, AT(against), .help = "the model beside the rows of a result" },
	{ 'n', "cards", "count", OPT_UINT, AT(cards), .def = "1", .min = 1, .max = 1e6,
	  .help = "cards in a board's ring" },
	{ 0, "serial", NULL, OPT_FLAG, AT(serial),
	  .help = "one after the other: a board's send and receive loops, which takes twice the time; work and bytes "
		  "of an RDMA interface" },
	{ 0, "messages", "count", OPT_UINT, AT(messages), .def = "10", .min = 1, .max = 1e9,
	  .help = "messages of a stream" },
	{ 0, "arity", "k", OPT_UINT, AT(arity), .def = "auto", .min = 2, .max = LOGP_MOST, .word = "auto",
	  .help = "k of k-ary and k-nomial trees; auto: the best of each" },
	{ 0, "schedule", "form", OPT_CHOICE, AT(schedule), .def = "none", .choices = schedules,
	  .help = "who sends to whom when in a broadcast, instead" },
	{ 0, "algorithm", "name", OPT_CHOICE, AT(algorithm), .def = "optimal", .choices = tree_names,
	  .help = "tree of --schedule" },
	{ 0, "reach", "time", OPT_TEXT, AT(reach),
	  .help = "how many processors a broadcast can reach up to this time, instead" },
	{ 0, "fft", "points", OPT_UINT, AT(fft), .min = 2, .max = 0x1p50,
	  .help = "communication of an FFT, instead; LogGP: --sizes are the bytes of a point" },
	{ 0, "pattern", "list", OPT_CHOICES, AT(patterns), .choices = model_patterns,
	  .help = "LogGP's patterns; all by default" },
	{ 0, "segment", "bytes", OPT_SIZE, AT(segment), .def = "auto", .min = 1, .max = 1e15, .word = "auto",
	  .help = "segments of long broadcasts; auto: the best" },
	{ 0, "destinations", "count", OPT_UINT, AT(destinations), .def = "1", .min = 1, .max = 1e6,
	  .help = "destinations in farms; all other ranks but one are sources" },
	{ 0, "occupation", "time", OPT_SECONDS, AT(occupation), .def = "0",
	  .help = "time that a receiver in a farm works on each packet" },
	{ 'w', "window", "list", OPT_UINTS, AT(windows), .min = 1, .max = 65536,
	  .help = "RDMA messages without a completion, with --batch instead of the three configurations" },
	{ 0, "batch", "list", OPT_UINTS, AT(batches), .min = 1, .max = 65536,
	  .help = "RDMA messages posted with one doorbell; at most the window" },
	{ 'm', "max-size", "log2", OPT_UINT, AT(max_size), .def = "20", .max = 40,
	  .help = "largest message is 2^log2 bytes" },
	{ 0, "min-size", "log2", OPT_UINT, AT(min_size), .def = "0", .max = 40,
	  .help = "smallest message is 2^log2 bytes" },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .max = 1e15, .help = "message sizes instead: 64,4k or 1k:64k:*2" },
	{ 0 },
};

/* What each model answers to, and the other options that it takes. */
static const struct model {
	const char *option, *other;	/* either or both; other: NULL if there is none */
	const char *takes[16];
	int (*run)(void);
} models[] = {
	{ "fit", NULL, { NULL }, model_fit },
	{ "board", NULL, { "cards", "serial", "max-size", "min-size", "sizes", "against" }, model_board },
	{ "logp", NULL, { "messages", "arity", "schedule", "algorithm", "reach", "fft", "against" }, model_logp },
	{ "loggp", "like", { "messages", "fft", "pattern", "segment", "destinations", "occupation", "max-size",
			     "min-size", "sizes", "against" }, model_loggp },
	{ "rdma", "example", { "serial", "window", "batch", "max-size", "min-size", "sizes", "against" }, model_rdma },
};
#define NMODELS (sizeof(models) / sizeof(models[0]))

int model_sizes(struct numbers *sizes, const uint64_t *usual, size_t n)
{
	struct numbers list = { (uint64_t *)(uintptr_t)usual, n };	/* only read */

	if (opts_exclude("sizes", "max-size") || opts_exclude("sizes", "min-size"))
		return ST_USAGE;
	if (model_opts.sizes.n || !usual || opts_given("max-size") || opts_given("min-size"))
		list = model_opts.sizes;
	return plan_sizes(&list, model_opts.min_size, model_opts.max_size, sizes);
}

int model_which(const char *const *given, size_t n)
{
	int which = 0;

	for (size_t i = 0; i < n; i++) {
		if (!opts_given(given[i]))
			continue;
		if (which) {
			opts_exclude(given[which - 1], given[i]);
			return -1;
		}
		which = (int)i + 1;
	}
	return which;
}

int model_write(struct record *rec, int (*rows)(struct report *r, const struct record *rec, const void *arg),
		const void *arg)
{
	struct opt_table tables[] = { { "options", options, &model_opts } };
	struct report *r = NULL;
	int err;

	rec->command = "model";
	rec->status = "complete";
	rec->options = opts_dump(tables, 1);
	rec->environment = rec->environment ? rec->environment : host_collect();
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

static bool is_asked(const struct model *m)
{
	return opts_given(m->option) || (m->other && opts_given(m->other));
}

/* The option by which it was asked for. */
static const char *asked_by(const struct model *m)
{
	return opts_given(m->option) ? m->option : m->other;
}

static bool takes(const struct model *m, const char *option)
{
	if (!strcmp(m->option, option) || (m->other && !strcmp(m->other, option)))
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

/* What has no effect beside another report. */
static const struct {
	const char *report, *idle[12];
} idle[] = {
	{ "fft", { "messages", "arity", "pattern", "segment", "destinations", "occupation" } },
	{ "reach", { "messages", "arity" } },
	{ "against", { "messages", "arity", "pattern", "segment", "destinations", "occupation", "sizes", "max-size", "min-size",
		       "cards", "window", "batch" } },
};

static int refuse_idle(void)
{
	if (model_opts.schedule && opts_exclude("schedule", "messages"))
		return ST_USAGE;
	for (size_t i = 0; i < sizeof(idle) / sizeof(idle[0]); i++)
		for (size_t j = 0; j < sizeof(idle[i].idle) / sizeof(idle[i].idle[0]) && idle[i].idle[j]; j++)
			if (opts_exclude(idle[i].report, idle[i].idle[j]))
				return ST_USAGE;
	return ST_OK;
}

/* The one model that is asked for. */
static int find_model(const struct model **found)
{
	*found = NULL;
	for (size_t i = 0; i < NMODELS; i++) {
		if (!is_asked(&models[i]))
			continue;
		if (*found)
			return opts_exclude(asked_by(*found), asked_by(&models[i]));
		*found = &models[i];
	}
	if (!*found)
		return report_none();
	for (const struct opt *o = options; o->name; o++)
		if (opts_given(o->name) && !takes(*found, o->name))
			return error_usage("option '--%s' does not go with '--%s'", o->name, asked_by(*found));
	return refuse_idle();
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
