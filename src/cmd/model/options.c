/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/model/options.h"

#include <string.h>

#include "model/logp.h"

static const char *const schedules[] = { "none", "table", "tree", "svg", "dot", NULL };
static const char *const pictures[] = { "none", "text", "svg", NULL };
static const char *const acks[] = { "reply", "each", NULL };

const char *const model_patterns[] = {
	"one-way", "interval", "stream", "ping-pong", "exchange", "outfarming", "funnel", "ring",
	"all-to-all", "scatter", "broadcast", "push-farm", "pull-farm", "pipeline",
	"barrier", "bcast", "gather", "allgather", "alltoall", "reduce", "allreduce",
	"reduce-scatter", NULL,
};
_Static_assert(LENGTH(model_patterns) == NMODEL_PATTERNS + 1, "each pattern has a name");

const char *const model_algorithms[] = {
	"linear", "binary", "k-ary", "binomial", "k-nomial", "optimal",
	"rotation", "chain", "scatter-ring", "4-2-1", "6-2-1", "9-3-1",
	"dissemination", "central", "tree", "recursive-doubling", "scatter+ring", "ring", "bruck",
	"gather+bcast", "pairwise", "rabenseifner", "reduce+bcast", "recursive-halving",
	"reduce+scatter", NULL,
};

#define AT(member) offsetof(struct model_values, member)

const struct opt model_options[] = {
	{ 0, "board", "name", OPT_TEXT, AT(board),
	  .help = "an FPGA board: 520n, 520n-meas, u280, vnx-100g, vnx-100g-switch, or "
		  "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2" },
	{ 0, "measure", NULL, OPT_FLAG, AT(measure),
	  .help = "measure LogGP's parameters; has its own options: see model --measure --help" },
	{ 0, "fit", "file", OPT_TEXT, AT(fit), .file = OPT_READ,
	  .help = "fit LogGP's parameters to a result of model --measure" },
	{ 0, "logp", "parameters", OPT_TEXT, AT(logp),
	  .help = "LogP, short messages: L=6,o=2,g=4,P=8 in cycles, or with units in seconds; "
		  "P may be a list: P=2,4,8:64:*2" },
	{ 0, "loggp", "parameters", OPT_TEXT, AT(loggp),
	  .help = "LogGP, messages of any size: L=1us,o=200ns,g=300ns,G=0.1ns,P=8; in ns without "
		  "a unit; P may be a list; c: time to add a byte" },
	{ 0, "like", "file", OPT_TEXT, AT(like), .file = OPT_READ,
	  .help = "LogGP with the parameters from a result, or RDMA if the result has RDMA "
		  "parameters" },
	{ 0, "rdma", "parameters", OPT_TEXT, AT(rdma), .file = OPT_READ,
	  .help = "message rate of RDMA: o_wqe=20,o_db=65,... or o_snd=85,g=3us,...; in ns "
		  "without a unit; or a result that has them" },
	{ 0, "reads", NULL, OPT_FLAG, AT(read),
	  .help = "RDMA reads, whose response carries the bytes" },
	{ 0, "example", NULL, OPT_FLAG, AT(example),
	  .help = "RDMA with example parameters, which are not measured" },
	{ 0, "against", "file", OPT_TEXT, AT(against), .file = OPT_READ,
	  .help = "compare the model with the rows of a result" },
	{ 'n', "cards", "count", OPT_UINT, AT(cards), .def = "1", .min = 1, .max = 1e6,
	  .help = "cards in a board's ring" },
	{ 0, "serial", NULL, OPT_FLAG, AT(serial),
	  .help = "one after the other instead of at once: a board's send and receive loops, which "
		  "doubles the time; for RDMA, an interface's work and bytes" },
	{ 0, "messages", "count", OPT_UINT, AT(messages), .def = "10", .min = 1, .max = 1e9,
	  .help = "messages of a stream" },
	{ 0, "arity", "list", OPT_UINTS, AT(arities), .def = "auto", .min = 2, .max = LOGP_MOST,
	  .word = "auto", .help = "k of k-ary and k-nomial trees; auto: the best of each" },
	{ 0, "schedule", "form", OPT_CHOICE, AT(schedule), .def = "none", .choices = schedules,
	  .help = "print a schedule instead: when each rank sends to which in a broadcast, or when "
		  "a message is where" },
	{ 0, "algorithm", "list", OPT_CHOICES, AT(algorithms), .choices = model_algorithms,
	  .help = "algorithms of LogGP's patterns, by default all; for LogP's --schedule: the "
		  "tree, by default optimal" },
	{ 0, "reach", "time", OPT_TEXT, AT(reach),
	  .help = "print instead how many processors a broadcast can reach up to this time" },
	{ 0, "fft", "points", OPT_UINT, AT(fft), .min = 2, .max = 0x1p50,
	  .help = "print instead the communication of an FFT; LogGP: --sizes are the bytes of a "
		  "point" },
	{ 0, "butterfly", "time", OPT_TEXT, AT(butterfly),
	  .help = "time to compute a node of the FFT's butterfly; default if times are in cycles: "
		  "1 cycle" },
	{ 0, "picture", "form", OPT_CHOICE, AT(picture), .def = "none", .choices = pictures,
	  .help = "draw instead which columns of the FFT's butterfly are remote in each layout" },
	{ 0, "pattern", "list", OPT_CHOICES, AT(patterns), .choices = model_patterns,
	  .help = "patterns of LogGP and operations of collective, by default all patterns; for "
		  "LogP's --schedule: one-way, ping-pong or broadcast" },
	{ 0, "segment", "bytes", OPT_SIZE, AT(segment), .def = "auto", .min = 1, .max = 1e15,
	  .word = "auto", .help = "segment size of long broadcasts; auto: the best" },
	{ 0, "destinations", "count", OPT_UINT, AT(destinations), .def = "1", .min = 1, .max = 1e6,
	  .help = "destinations in farms; all other ranks except the supervisor are sources" },
	{ 0, "credits", "count", OPT_UINT, AT(credits), .def = "enough", .min = 1, .max = 1 << 22,
	  .word = "enough", .help = "most events in progress in a farm with a supervisor" },
	{ 0, "occupation", "time", OPT_SECONDS, AT(occupation), .def = "0",
	  .help = "time that a receiver in a farm works on each packet" },
	{ 'w', "window", "list", OPT_UINTS, AT(windows), .min = 1, .max = 65536,
	  .help = "unacknowledged messages: print LogGP's message rate instead; for RDMA, with "
		  "--batch: replaces the three configurations" },
	{ 0, "ack", "list", OPT_CHOICES, AT(acks), .def = "reply,each", .choices = acks,
	  .help = "what acknowledges LogGP's messages: a reply to each window, or each message" },
	{ 0, "batch", "list", OPT_UINTS, AT(batches), .min = 1, .max = 65536,
	  .help = "RDMA messages posted with one doorbell; at most the window" },
	{ 'm', "max-size", "log2", OPT_UINT, AT(max_size), .def = "20", .max = 40,
	  .help = "largest message is 2^log2 bytes" },
	{ 0, "min-size", "log2", OPT_UINT, AT(min_size), .def = "0", .max = 40,
	  .help = "smallest message is 2^log2 bytes" },
	{ 0, "sizes", "list", OPT_SIZES, AT(sizes), .max = 1e15,
	  .help = "message sizes, such as 64,4k or 1k:64k:*2" },
	{ 0 },
};

const char *model_rdma_parameters(const struct model_values *o)
{
	return o->rdma && strchr(o->rdma, '=') ? o->rdma : NULL;
}

/* Returns whether a list of indices into `names` contains the name. NULL is in no list. */
static bool has_name(const struct numbers *list, const char *const *names, const char *name)
{
	for (size_t i = 0; i < list->n && name; i++)
		if (!strcmp(names[list->v[i]], name))
			return true;
	return false;
}

bool model_lists_pattern(const struct model_values *o, const char *pattern)
{
	return has_name(&o->patterns, model_patterns, pattern);
}

bool model_lists_algorithm(const struct model_values *o, const char *algorithm)
{
	return !o->algorithms.n || has_name(&o->algorithms, model_algorithms, algorithm);
}
