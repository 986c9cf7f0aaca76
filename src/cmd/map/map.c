/* SPDX-License-Identifier: Apache-2.0 */
/* Which host, which link, is the bad one: the command and its options. */

#include "analyse/map/study/study.h"
#include "cli/command.h"
#include "cmd/map/compare.h"
#include "cmd/map/measure/measure.h"
#include "cmd/map/options.h"
#include "cmd/map/read/from.h"
#include "cmd/map/write.h"

#define MOST_EFFECT 60		/* percent; pairs 1.6 of it */

#define AT(member) offsetof(struct map_options, member)

static const char *const modes[] = { "auto", "rounds", "serial", "quick", NULL };
static const char *const units[] = { "auto", "host", "rank", NULL };

/* These are for measuring and for --from. */
#define JUDGING_OPTIONS \
	{ 0, "from", "file", OPT_TEXTS, AT(from), .file = OPT_READ, \
	  .help = "measure nothing, but judge a result of map, a CSV with columns sender, " \
		  "receiver, bandwidth_Bps or half_rtt_epoch_s, and visit and round if they are " \
		  "known, a square matrix, or what mpiGraph or LinkTest has written" }, \
	{ 0, "from-unit", "unit", OPT_CHOICE, AT(from_unit), .def = "B/s", .choices = from_units, \
	  .help = "of the numbers of a matrix of --from; us: half round trips" }, \
	{ 0, "min-effect", "percent", OPT_REAL, AT(min_effect), .def = "5", .min = 0.1, \
	  .max = MOST_EFFECT, \
	  .help = "name hosts that are slower by more, and pairs that are by 1.6 times as " \
		  "much" }, \
	{ 0, "classes", "file", OPT_TEXT, AT(classes), .file = OPT_READ_ON_0, \
	  .help = "classes of hosts that are judged apart: lines of a name and a class" }, \
	{ 0, "topology", "file", OPT_TEXT, AT(topology), .file = OPT_READ_ON_0, \
	  .help = "Slurm's topology.conf: pairs of one host, of one switch, and others are each " \
		  "compared with their like" }, \
	{ 0, "fail-if", "list", OPT_TEXT, AT(fail_if), \
	  .help = "exit 1 for a verdict of this kind and size: host:10%,pair:20%,host:50us," \
		  "unsteady,shared:3" }, \
	{ 0, "write-exclude", "file", OPT_TEXT, AT(write_exclude), .file = OPT_WRITTEN, \
	  .help = "write the names of the hosts to leave out, one a line, as srun --exclude " \
		  "takes them" }

static const struct opt options[] = {
	{ 0, "mode", "name", OPT_CHOICE, AT(mode), .def = "auto", .choices = modes,
	  .help = "rounds: all hosts are in pairs at once, until each has met each; serial: one "
		  "pair at a time; quick: rounds of random pairs; auto: quick for more than 256 "
		  "hosts, else rounds" },
	{ 0, "rounds", "count", OPT_UINT, AT(rounds), .def = "32", .min = 1, .max = STUDY_ROUNDS,
	  .help = "rounds of random pairs, of mode quick, which it selects" },
	{ 0, "unit", "what", OPT_CHOICE, AT(unit), .def = "auto", .choices = units,
	  .help = "what is measured and named: host, by its first rank, or each rank; auto: host, "
		  "but ranks where there is one host" },
	{ 'w', "window", "count", OPT_UINT, AT(window), .def = "4", .min = 1, .max = 65536,
	  .help = "messages on their way, of bandwidths; with 1 a slow round trip lowers them" },
	{ 0, "bidirectional", NULL, OPT_FLAG, AT(bidirectional),
	  .help = "measure also the bandwidth of a pair while both send; judged by itself" },
	{ 0, "no-retest", NULL, OPT_FLAG, AT(no_retest),
	  .help = "do not measure suspects again, but judge the first visits alone" },
	{ 0, "no-alone", NULL, OPT_FLAG, AT(no_alone),
	  .help = "do not ask whether pairs slow each other down, but judge as if they did not" },
	JUDGING_OPTIONS,
	{ 0 },
};

static const struct opt from_options[] = { JUDGING_OPTIONS, { 0 } };

static const struct mode from = {
	.by = { "from" },
	.summary = "which host, which link, is the bad one, out of measurements in a file",
	.options = from_options,
	.options_size = sizeof(struct map_options),
	.run = map_judge_file,
};

const struct command cmd_map = {
	.name = "map",
	.summary = "which host, which link, is the bad one? Measures every pair",
	.options = options,
	.options_size = sizeof(struct map_options),
	.lead = "backend mode unit visits fail-if output",
	.bench = &map_pairs,
	.compares = &map_compares,
	.modes = (const struct mode *const[]){ &from, NULL },
};
