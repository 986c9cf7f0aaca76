/* SPDX-License-Identifier: Apache-2.0 */
/* What a network should reach, by formula: options, and which model is asked for. */
#include "cmd/model/model.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "host/record.h"
#include "model/logp.h"
#include "base/error.h"
#include "base/text.h"
#include "measure/plan/plan.h"
#include "options/types.h"

#define WIDTH 79		/* of words above a picture */

static const char *const schedules[] = { "none", "table", "tree", "svg", "dot", NULL };
static const char *const pictures[] = { "none", "text", "svg", NULL };

#define AT(member) offsetof(struct model_options, member)

/* What goes with several modes. */
#define BOARDS (MODEL_BOARD | MODEL_BOARD_AGAINST)
#define LOGPS \
	(MODEL_LOGP | MODEL_LOGP_SCHEDULE | MODEL_LOGP_REACH | MODEL_LOGP_FFT | MODEL_LOGP_AGAINST)
#define LOGGPS (MODEL_LOGGP | MODEL_LOGGP_FFT | MODEL_LOGGP_AGAINST | MODEL_LOGGP_WINDOW)
#define RDMAS (MODEL_RDMA | MODEL_RDMA_SCHEDULE | MODEL_RDMA_AGAINST)
#define AGAINST                                                                                    \
	(MODEL_BOARD_AGAINST | MODEL_LOGP_AGAINST | MODEL_LOGGP_AGAINST | MODEL_RDMA_AGAINST)
#define SIZED                                                                                      \
	(MODEL_BOARD | MODEL_LOGGP | MODEL_LOGGP_FFT | MODEL_LOGGP_WINDOW | MODEL_RDMA | \
	 MODEL_RDMA_SCHEDULE)

static const struct opt options[] = {
	{ 0, "board", "name", OPT_TEXT, AT(board),
	  .help = "an FPGA board: 520n, 520n-meas, vnx-100g, vnx-100g-switch, or "
		  "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2", .modes = BOARDS },
	{ 0, "measure", NULL, OPT_FLAG, AT(measure),
	  .help = "measure LogGP's parameters, with options of its own: see model --measure --help",
	  .modes = MODEL_MEASURE },
	{ 0, "fit", "file", OPT_TEXT, AT(fit),
	  .file = OPT_READ,
	  .help = "fit LogGP's parameters to a result of model --measure", .modes = MODEL_FIT },
	{ 0, "logp", "parameters", OPT_TEXT, AT(logp),
	  .help = "LogP, short messages: L=6,o=2,g=4,P=8 in cycles, or with units in seconds; "
		  "P may be a list: P=2,4,8:64:*2",
	  .modes = LOGPS },
	{ 0, "loggp", "parameters", OPT_TEXT, AT(loggp),
	  .help = "LogGP, messages of any size: L=1us,o=200ns,g=300ns,G=0.1ns,P=8; in ns without "
		  "a unit", .modes = LOGGPS },
	{ 0, "like", "file", OPT_TEXT, AT(like),
	  .file = OPT_READ,
	  .help = "LogGP with the parameters in a result, or RDMA if it has those",
	  .modes = LOGGPS | RDMAS },
	{ 0, "rdma", "parameters", OPT_TEXT, AT(rdma),
	  .file = OPT_READ,
	  .help = "message rate of RDMA: o_wqe=20,o_db=65,... or o_snd=85,g=3us,...; in ns "
		  "without a unit; or a result that has them", .modes = RDMAS },
	{ 0, "reads", NULL, OPT_FLAG, AT(read),
	  .help = "RDMA reads, whose answer brings the bytes", .modes = RDMAS },
	{ 0, "example", NULL, OPT_FLAG, AT(example),
	  .help = "RDMA with parameters that are an example, not measured", .modes = RDMAS },
	{ 0, "against", "file", OPT_TEXT, AT(against),
	  .file = OPT_READ,
	  .help = "the model beside the rows of a result", .modes = AGAINST },
	{ 'n', "cards", "count", OPT_UINT, AT(cards), .def = "1", .min = 1, .max = 1e6,
	  .help = "cards in a board's ring", .modes = MODEL_BOARD },
	{ 0, "serial", NULL, OPT_FLAG, AT(serial),
	  .help = "one after the other: a board's send and receive loops, which takes twice the "
		  "time; work and bytes of RDMA interfaces", .modes = BOARDS | RDMAS },
	{ 0, "messages", "count", OPT_UINT, AT(messages), .def = "10", .min = 1, .max = 1e9,
	  .help = "messages of a stream", .modes = MODEL_LOGP | MODEL_LOGP_SCHEDULE | MODEL_LOGGP },
	{ 0, "arity", "list", OPT_UINTS, AT(arities), .def = "auto", .min = 2, .max = LOGP_MOST,
	  .word = "auto", .help = "k of k-ary and k-nomial trees; auto: the best of each",
	  .modes = MODEL_LOGP | MODEL_LOGP_SCHEDULE },
	{ 0, "schedule", "form", OPT_CHOICE, AT(schedule), .def = "none", .choices = schedules,
	  .help = "who sends to whom when in a broadcast, or where a message is when, instead",
	  .modes = MODEL_LOGP_SCHEDULE | MODEL_RDMA_SCHEDULE },
	{ 0, "algorithm", "name", OPT_CHOICE, AT(algorithm), .def = "optimal",
	  .choices = tree_names,
	  .help = "tree of --schedule", .modes = MODEL_LOGP | MODEL_LOGP_SCHEDULE },
	{ 0, "reach", "time", OPT_TEXT, AT(reach),
	  .help = "how many processors a broadcast can reach up to this time, instead",
	  .modes = MODEL_LOGP_REACH },
	{ 0, "fft", "points", OPT_UINT, AT(fft), .min = 2, .max = 0x1p50,
	  .help = "communication of an FFT, instead; LogGP: --sizes are the bytes of a point",
	  .modes = MODEL_LOGP_FFT | MODEL_LOGGP_FFT },
	{ 0, "butterfly", "time", OPT_TEXT, AT(butterfly),
	  .help = "time of computing a node of the FFT's butterfly; 1 cycle if times are in cycles",
	  .modes = MODEL_LOGP_FFT | MODEL_LOGGP_FFT },
	{ 0, "picture", "form", OPT_CHOICE, AT(picture), .def = "none", .choices = pictures,
	  .help = "which columns of the FFT's butterfly are remote in each layout, instead",
	  .modes = MODEL_LOGP_FFT | MODEL_LOGGP_FFT },
	{ 0, "pattern", "list", OPT_CHOICES, AT(patterns), .choices = model_patterns,
	  .help = "LogGP's patterns; all by default; of LogP's --schedule one-way, ping-pong or "
		  "broadcast", .modes = MODEL_LOGGP | MODEL_LOGP_SCHEDULE },
	{ 0, "segment", "bytes", OPT_SIZE, AT(segment), .def = "auto", .min = 1, .max = 1e15,
	  .word = "auto",
	  .help = "segments of long broadcasts; auto: the best", .modes = MODEL_LOGGP },
	{ 0, "destinations", "count", OPT_UINT, AT(destinations), .def = "1", .min = 1, .max = 1e6,
	  .help = "destinations in farms; all other ranks but one are sources",
	  .modes = MODEL_LOGGP },
	{ 0, "credits", "count", OPT_UINT, AT(credits), .def = "enough", .min = 1, .max = 1 << 22,
	  .word = "enough", .help = "events in progress in a farm with a supervisor, at most",
	  .modes = MODEL_LOGGP },
	{ 0, "occupation", "time", OPT_SECONDS, AT(occupation), .def = "0",
	  .help = "time that a receiver in a farm works on each packet", .modes = MODEL_LOGGP },
	{ 'w', "window", "list", OPT_UINTS, AT(windows), .min = 1, .max = 65536,
	  .help = "messages not acknowledged: LogGP's message rate, instead; of RDMA, with "
		  "--batch, instead of the three configurations",
	  .modes = MODEL_LOGGP_WINDOW | MODEL_RDMA },
	{ 0, "ack", "list", OPT_CHOICES, AT(acks), .def = "reply,each", .choices = model_acks,
	  .help = "what acknowledges LogGP's messages: a reply to each window, or each message",
	  .modes = MODEL_LOGGP_WINDOW },
	{ 0, "batch", "list", OPT_UINTS, AT(batches), .min = 1, .max = 65536,
	  .help = "RDMA messages posted with one doorbell; at most the window",
	  .modes = MODEL_RDMA },
	{ 'm', "max-size", "log2", OPT_UINT, AT(max_size), .def = "20", .max = 40,
	  .help = "largest message is 2^log2 bytes", .modes = SIZED },
	{ 0, "min-size", "log2", OPT_UINT, AT(min_size), .def = "0", .max = 40,
	  .help = "smallest message is 2^log2 bytes", .modes = SIZED },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .max = 1e15,
	  .help = "message sizes, as 64,4k or 1k:64k:*2", .modes = SIZED },
	{ 0 },
};

int model_sizes(const struct settings *st, struct numbers *sizes, const uint64_t *usual, size_t n)
{
	const struct model_options *o = st->own;
	struct numbers list = { (uint64_t *)(uintptr_t)usual, n };	/* only read */

	if (settings_exclude(st, "sizes", "max-size") || settings_exclude(st, "sizes", "min-size"))
		return ST_USAGE;
	if (o->sizes.n || !usual || settings_given(st, "max-size") ||
	    settings_given(st, "min-size"))
		list = o->sizes;
	return plan_sizes(&list, o->min_size, o->max_size, sizes);
}

void model_put_title(const char *title)
{
	struct text t = { .n = 0 };

	text_add(&t, "%s (computed)", title);
	text_wrap(stdout, t.s, 0, WIDTH);
}

int model_write(const struct settings *st, struct record *rec, size_t n,
		void (*fill)(const void *arg, size_t i, const struct record *rec, struct row *row),
		const void *arg)
{
	struct opt_table table = { "options", options, (void *)(uintptr_t)st->own,
				   NULL }; /* only read */
	struct outlets *r = NULL;
	int err, closed;

	rec->command = "model";
	rec->status = "complete";
	rec->options = opts_dump(&table, 1);
	rec->environment = rec->environment ? rec->environment : host_collect();
	rec->summary = rec->summary ? rec->summary : json_object();
	rec->warnings = rec->warnings ? rec->warnings : json_array();
	err = report_open(&r, &st->output);
	err = err ? err : report_begin(r, rec);
	for (size_t i = 0; i < n && !err; i++) {
		struct row row = { 0 };

		fill(arg, i, rec, &row);
		err = report_row(r, rec, &row);
		json_decref(row.samples);
	}
	err = err ? err : report_end(r, rec);
	closed = report_close(r, !err);
	err = err ? err : closed;
	json_decref(rec->options);
	json_decref(rec->environment);
	json_decref(rec->summary);
	json_decref(rec->warnings);
	return err;
}

int model_check_picture(const struct settings *st)
{
	if (settings_given(st, "format") || settings_given(st, "output"))
		return error_usage("a picture goes to standard output: '--format' and '--output' "
				   "are for a table");
	return ST_OK;
}

static int report_none(const struct settings *st, int n, char **operands)
{
	(void)st;
	(void)n;
	(void)operands;
	return error_usage("no model is asked for: which of '--fit', '--board', '--logp', "
			   "'--loggp', '--rdma'?");
}

static const struct mode *const modes[] = {
	&model_measure, &model_fit, &model_board_against, &model_board, &model_logp_schedule,
	&model_logp_reach, &model_logp_fft, &model_logp_against, &model_logp, &model_rdma_schedule,
	&model_rdma_against, &model_rdma, &model_loggp_fft, &model_loggp_against,
	&model_loggp_window, &model_loggp,
	NULL,
};

const struct command cmd_model = {
	.name = "model",
	.summary = "what a network should reach, by formula",
	.options = options,
	.options_size = sizeof(struct model_options),
	.lead = "board loggp measure against output",
	.output = true,
	.modes = modes,
	.run = report_none,
};
