/* SPDX-License-Identifier: Apache-2.0 */
/* The command `map`, which finds bad hosts and links, and its options. */

#include "analyse/map/study/study.h"
#include "cli/command.h"
#include "cmd/map/compare.h"
#include "cmd/map/measure/measure.h"
#include "cmd/map/options.h"
#include "cmd/map/read/from.h"
#include "cmd/map/write.h"

#define MOST_EFFECT 60		/* percent; for pairs, 1.6 times as much */

#define AT(member) offsetof(struct map_options, member)

static const char *const modes[] = { "auto", "rounds", "serial", "quick", NULL };
static const char *const units[] = { "auto", "host", "rank", NULL };

/* Options that apply both to measuring and to --from. */
#define JUDGING_OPTIONS \
	{ 0, "from", "file", OPT_TEXTS, AT(from), .file = OPT_READ, \
	  .help = "measure nothing: judge a result of map, a CSV with columns sender, receiver, " \
		  "bandwidth_Bps or half_rtt_epoch_s, and perhaps visit and round, a square " \
		  "matrix, or output of mpiGraph or LinkTest" }, \
	{ 0, "from-unit", "unit", OPT_CHOICE, AT(from_unit), .def = "B/s", .choices = from_units, \
	  .help = "unit of the numbers in a matrix of --from; us: half round trips" }, \
	{ 0, "min-effect", "percent", OPT_REAL, AT(min_effect), .def = "5", .min = 0.1, \
	  .max = MOST_EFFECT, \
	  .help = "name hosts that are slower by more than this, and pairs that are slower by " \
		  "more than 1.6 times this" }, \
	{ 0, "classes", "file", OPT_TEXT, AT(classes), .file = OPT_READ_ON_0, \
	  .help = "classes of hosts to judge separately: lines of a host and its class" }, \
	{ 0, "topology", "file", OPT_TEXT, AT(topology), .file = OPT_READ_ON_0, \
	  .help = "Slurm's topology.conf: pairs within a host, within a switch, and other pairs " \
		  "are judged separately" }, \
	{ 0, "fail-if", "list", OPT_TEXT, AT(fail_if), \
	  .help = "exit 1 for a verdict of this kind and size: host:10%,pair:20%,host:50us," \
		  "unsteady,shared:3" }, \
	{ 0, "write-exclude", "file", OPT_TEXT, AT(write_exclude), .file = OPT_WRITTEN, \
	  .help = "write the names of the hosts to exclude, one per line, in the form that " \
		  "srun --exclude takes" }

static const struct opt options[] = {
	{ 0, "mode", "name", OPT_CHOICE, AT(mode), .def = "auto", .choices = modes,
	  .help = "order of the pairs; rounds: all hosts in pairs at once, in rounds that cover "
		  "every pair; serial: one pair at a time; quick: rounds of random pairs; auto: "
		  "quick for more than 256 hosts, else rounds" },
	{ 0, "rounds", "count", OPT_UINT, AT(rounds), .def = "32", .min = 1, .max = STUDY_ROUNDS,
	  .help = "rounds of random pairs; selects mode quick" },
	{ 0, "unit", "what", OPT_CHOICE, AT(unit), .def = "auto", .choices = units,
	  .help = "what is measured and named: host (its first rank) or each rank; auto: host, or "
		  "rank if there is only one host" },
	{ 'w', "window", "count", OPT_UINT, AT(window), .def = "4", .min = 1, .max = 65536,
	  .help = "messages in flight for bandwidths; with 1 a slow round trip lowers bandwidths" },
	{ 0, "bidirectional", NULL, OPT_FLAG, AT(bidirectional),
	  .help = "measure also the bandwidth of a pair while both send; it is judged separately" },
	{ 0, "no-retest", NULL, OPT_FLAG, AT(no_retest),
	  .help = "do not measure suspects again: judge only the first visits" },
	{ 0, "no-alone", NULL, OPT_FLAG, AT(no_alone),
	  .help = "do not check whether pairs slow each other down: assume that they do not" },
	JUDGING_OPTIONS,
	{ 0 },
};

static const struct opt from_options[] = { JUDGING_OPTIONS, { 0 } };

static const struct mode from = {
	.by = { "from" },
	.summary = "find bad hosts and links in measurements from a file",
	.options = from_options,
	.options_size = sizeof(struct map_options),
	.run = map_judge_file,
};

const struct command cmd_map = {
	.name = "map",
	.summary = "find bad hosts and links: measures every pair of hosts",
	.options = options,
	.options_size = sizeof(struct map_options),
	.lead = "backend mode unit visits fail-if output",
	.bench = &map_pairs,
	.compares = &map_compares,
	.modes = (const struct mode *const[]){ &from, NULL },
};
