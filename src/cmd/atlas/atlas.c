/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ten benchmarks of ATLAS DAQ note 48: one command for each, and one command that runs all ten.
 */
#include <stdio.h>

#include "base/values.h"
#include "cmd/atlas/fill.h"
#include "cmd/atlas/setup.h"
#include "measure/plan/patterns.h"

/* ---- options ---- */

#define AT(member) offsetof(struct atlas_options, member)
#define LOOPS \
	LOOPS_OPTION(AT(loops), "iterations of a repetition; auto: enough for about 10 ms, in " \
				"atlas-2.1 to 2.3 for about 50 ms; one in atlas-1.6")
#define LOAD \
	{ 0, "load", "list", OPT_CHOICES, AT(loads), .choices = load_names, \
	  .help = "ranks beside which a computing task of lower priority runs; none is always " \
		  "measured as well; default: all loads, in virtual time none" }
#define PEERS \
	{ 0, "peers", "list", OPT_UINTS, AT(peers), .min = 1, .max = 1 << 20, \
	  .help = "ranks at the other end, in this order; by default 1, 2, 3 and so on" }
#define WINDOW \
	{ 'w', "window", "list", OPT_UINTS, AT(windows), .def = "1", .min = 1, .max = 65536, \
	  .help = "messages that each sender has in flight in atlas-1.2 and atlas-1.4; a list " \
		  "sweeps" }
#define ALGORITHM \
	{ 0, "algorithm", "list", OPT_TEXT, AT(algorithms), .def = "linear,binomial", \
	  .help = "tree that a multicast takes: linear, binary, k-ary=K, binomial, k-nomial=K, " \
		  "optimal; native: the transport's own broadcast" }, \
	{ 0, "change-list", NULL, OPT_FLAG, AT(change_list), \
	  .help = "draw new receivers for each multicast, from all ranks" }, \
	{ 0, "loggp", "fields", OPT_TEXT, AT(loggp), \
	  .help = "parameters L, o, g, G for algorithm optimal; by default those of --like or of " \
		  "the simulated network" }
#define FARM \
	{ 0, "sources", "list", OPT_UINTS, AT(sources), .def = "4,6,8", .min = 1, .max = 1 << 20, \
	  .help = "sources of an event in atlas-2.1 and atlas-2.2; a list sweeps" }, \
	{ 0, "destinations", "list", OPT_UINTS, AT(destinations), .def = "1", .min = 1, \
	  .max = 1 << 20, \
	  .help = "destinations in atlas-2.1 and atlas-2.2; events go to them in turn; a list " \
		  "sweeps" }, \
	{ 0, "credits", "count", OPT_UINT, AT(credits), .def = "auto", .min = 1, .max = 1 << 22, \
	  .word = "auto", \
	  .help = "events in progress in atlas-2.1 and atlas-2.2; auto: four for each " \
		  "destination, at least 16" }
#define TOPOLOGY \
	{ 0, "topology", "list", OPT_TEXT, AT(topologies), .def = "4-2-1,6-2-1,9-3-1", \
	  .help = "sources, stages and destinations of a pipeline; a list sweeps" }
#define OCCUPATION \
	{ 0, "occupation", "list", OPT_UINTS, AT(occupations), .def = "0,50,500", .max = 1e9, \
	  .help = "microseconds that a receiver computes for each packet, after reading it" }

static const struct opt pair_options[] = { LOAD, PEERS, LOOPS, { 0 } };
static const struct opt window_options[] = { LOAD, PEERS, WINDOW, LOOPS, { 0 } };
static const struct opt all_options[] = { LOAD, LOOPS, { 0 } };
static const struct opt multicast_options[] = { ALGORITHM, LOAD, PEERS, LOOPS, { 0 } };
static const struct opt farm_options[] = { FARM, OCCUPATION, LOOPS, { 0 } };
static const struct opt pipeline_options[] = { TOPOLOGY, OCCUPATION, LOOPS, { 0 } };
static const struct opt every_option[] = { LOAD, WINDOW, ALGORITHM, FARM, TOPOLOGY, OCCUPATION,
					   LOOPS, { 0 } };

/* ---- columns: tables and files have TABLE_*, only files have FILES_* ---- */

#define GROUP_1 \
	COL_RANKS, COL_LOAD, COL_SIZE, COL_MESSAGE, COL_EVENT, COL_EVENT_LO, COL_EVENT_HI, \
	COL_FREQUENCY, COL_BANDWIDTH, COL_COMM_SLOWDOWN, COL_COMPUTE_SLOWDOWN, COL_SLOWDOWN_NOTE
#define GROUP_2 \
	COL_OCCUPATION, COL_SIZE, COL_FREQUENCY, COL_FREQUENCY_LO, COL_FREQUENCY_HI, \
	COL_INTERVAL_P50, COL_INTERVAL_P99, COL_INTERVAL_MAX, COL_BANDWIDTH, COL_BOUND, \
	COL_OCCUPATION_GOT
#define P99 COL_INTERVAL_P99_LO, COL_INTERVAL_P99_HI
#define ENDING COL_REPETITIONS, COL_ERRORS, COL_STOP, COL_NOTE
#define FILES_ALL \
	COL_LOOPS, COL_T0, COL_R_INF, COL_N_HALF, COL_TIME, COL_TIME_MIN, COL_TIME_MAX, \
	COL_CI_METHOD, COL_VISITS, COL_TIME_ACF1, COL_CHECKED, COL_LATE
#define FILES COL_BENCHMARK, FILES_ALL
#define FILES_1 \
	COL_PEERS, COL_FREQUENCY_LO, COL_FREQUENCY_HI, COL_PROCESS_BANDWIDTH, \
	COL_COMM_SLOWDOWN_LO, COL_COMM_SLOWDOWN_HI, COL_COMPUTE_SLOWDOWN_LO, \
	COL_COMPUTE_SLOWDOWN_HI, COL_PROCESSOR_SHARE
#define FILES_2 COL_RANKS, COL_EVENT, COL_EVENT_LO, COL_EVENT_HI, COL_INTERVAL_P90, P99
#define SHARES(role) COL_SHARES + 3 * (role), COL_SHARES + 3 * (role) + 1, \
	COL_SHARES + 3 * (role) + 2

#define TABLE_1 GROUP_1, ENDING
#define TABLE_WINDOW COL_WINDOW, GROUP_1, ENDING
#define TABLE_MULTICAST COL_ALGORITHM, GROUP_1, ENDING
#define TABLE_FARM COL_SOURCES, COL_DESTINATIONS, GROUP_2, ENDING
#define TABLE_PIPELINE COL_SOURCES, COL_STAGES, COL_DESTINATIONS, GROUP_2, ENDING
#define TABLE_ALL \
	COL_BENCHMARK, COL_RANKS, COL_ALGORITHM, COL_LOAD, COL_OCCUPATION, COL_SIZE, COL_MESSAGE, \
	COL_EVENT, COL_FREQUENCY, COL_BANDWIDTH, COL_COMM_SLOWDOWN, COL_COMPUTE_SLOWDOWN, \
	COL_SLOWDOWN_NOTE, COL_BOUND, ENDING

static const enum column_id cols_1[] = { TABLE_1, FILES, FILES_1 };
static const enum column_id cols_window[] = { TABLE_WINDOW, FILES, FILES_1 };
static const enum column_id cols_multicast[] = { TABLE_MULTICAST, FILES, FILES_1 };
static const enum column_id cols_farm[] = { TABLE_FARM, FILES, FILES_2, COL_CREDITS,
					    SHARES(FARM_SUPERVISOR),
					    SHARES(FARM_SOURCE), SHARES(FARM_DESTINATION) };
static const enum column_id cols_pipeline[] = { TABLE_PIPELINE, FILES, FILES_2,
						SHARES(FARM_SOURCE), SHARES(FARM_STAGE),
						SHARES(FARM_DESTINATION) };
static const enum column_id cols_all[] = {
	TABLE_ALL, FILES_ALL, COL_WINDOW, FILES_1, COL_EVENT_LO, COL_EVENT_HI, COL_SOURCES,
	COL_STAGES, COL_DESTINATIONS, COL_CREDITS, COL_INTERVAL_P50, COL_INTERVAL_P90,
	COL_INTERVAL_P99, P99, COL_INTERVAL_MAX, COL_OCCUPATION_GOT, SHARES(FARM_SUPERVISOR),
	SHARES(FARM_SOURCE), SHARES(FARM_STAGE), SHARES(FARM_DESTINATION),
};

/* Columns of the table on terminals of 80 characters. */
#define NARROW_1 COL_RANKS, COL_LOAD, COL_SIZE, COL_EVENT, COL_EVENT_LO, COL_EVENT_HI
static const enum column_id narrow_1[] = { NARROW_1, COL_COMM_SLOWDOWN };
static const enum column_id narrow_window[] = { COL_WINDOW, NARROW_1 };
static const enum column_id narrow_multicast[] = { COL_ALGORITHM, NARROW_1 };
static const enum column_id narrow_farm[] = {
	COL_SOURCES, COL_DESTINATIONS, COL_OCCUPATION, COL_SIZE, COL_FREQUENCY, COL_INTERVAL_P99,
	COL_BOUND,
};
static const enum column_id narrow_pipeline[] = {
	COL_SOURCES, COL_STAGES, COL_DESTINATIONS, COL_OCCUPATION, COL_SIZE, COL_FREQUENCY,
	COL_BOUND,
};
static const enum column_id narrow_all[] = {
	COL_BENCHMARK, COL_RANKS, COL_ALGORITHM, COL_LOAD, COL_OCCUPATION, COL_SIZE, COL_EVENT,
};

#define COUNT(...) (sizeof((enum column_id[]){ __VA_ARGS__ }) / sizeof(enum column_id))
#define COLUMNS(of, ...) \
	.columns = { .id = cols_##of, .n = LENGTH(cols_##of), .ntable = COUNT(__VA_ARGS__), \
		     .narrow = narrow_##of, .nnarrow = LENGTH(narrow_##of) }

/* ---- benchmarks and commands ---- */

static const uint64_t note_sizes[] = { 0, 64, 256, 1024 };

#define COMMAND(number, word_alias, what, own_options, ...) \
	{ .name = "atlas-" number, .word = word_alias, .summary = what, .options = own_options, \
	  .options_size = sizeof(struct atlas_options), \
	  .lead = "backend ranks sizes point-time output", \
	  .bench = &(const struct benchmark){ \
		.sizes = { 20, note_sizes, LENGTH(note_sizes) }, .min_ranks = 2, \
		.traits = SWEEPS_RANKS, .plan = atlas_plan, .label = atlas_label, \
		.fill = atlas_fill, .observe = atlas_observe, .run = atlas_run, __VA_ARGS__ } }
#define ONE(row, number, quantity, how) \
	.detail = &atlas_rows[row], .definition = "atlas-" number "." quantity, .pattern = &how

static const struct command family[] = {
	COMMAND("1.1", "one-way", "one-way: a message bounced between two ranks", pair_options,
		ONE(0, "1.1", "half-rtt.v2", pattern_pingpong), COLUMNS(1, TABLE_1)),
	COMMAND("1.2", "two-way", "two-way: two ranks send to each other at once", window_options,
		ONE(1, "1.2", "exchange.v2", pattern_exchange), COLUMNS(window, TABLE_WINDOW)),
	COMMAND("1.3", NULL, "all-to-all: every rank sends to every other", all_options,
		ONE(2, "1.3", "alltoall.v2", pattern_alltoall), COLUMNS(1, TABLE_1)),
	COMMAND("1.4", "pairs", "pairs: half of the ranks send to the other half", window_options,
		ONE(3, "1.4", "pairs.v2", pattern_pairs), COLUMNS(window, TABLE_WINDOW)),
	COMMAND("1.5", "outfarming", "outfarming: one rank sends different data to many",
		pair_options, ONE(4, "1.5", "outfarming.v2", pattern_outfarm), COLUMNS(1, TABLE_1)),
	COMMAND("1.6", "multicast", "multicasting: one rank sends the same data to many",
		multicast_options, ONE(5, "1.6", "multicast.v2", pattern_multicast),
		COLUMNS(multicast, TABLE_MULTICAST)),
	COMMAND("1.7", "funnel", "funnel: many ranks send to one", pair_options,
		ONE(6, "1.7", "funnel.v2", pattern_funnel), COLUMNS(1, TABLE_1)),
	COMMAND("2.1", "push-farm", "push farm: a supervisor tells sources where to send an event",
		farm_options, ONE(7, "2.1", "push.v3", pattern_push), COLUMNS(farm, TABLE_FARM)),
	COMMAND("2.2", "pull-farm", "pull farm: a supervisor tells destinations to fetch an event",
		farm_options, ONE(8, "2.2", "pull.v3", pattern_pull), COLUMNS(farm, TABLE_FARM)),
	COMMAND("2.3", "pipeline", "pipeline: data-driven, through two levels of funnels",
		pipeline_options, ONE(9, "2.3", "pipeline.v2", pattern_pipeline),
		COLUMNS(pipeline, TABLE_PIPELINE)),
	COMMAND("all", NULL, "all ten in one run and one result", every_option,
		.definition = "atlas.v3", COLUMNS(all, TABLE_ALL)),
	{ 0 },
};

static int print_family(const struct settings *st, int n, char **operands)
{
	puts("the communication benchmarks of ATLAS DAQ note 48:");
	for (const struct command *c = family; c->name; c++)
		printf("  %-10s %s\n", c->name, c->summary);
	return 0;
}

const struct command cmd_atlas = {
	.name = "atlas",
	.summary = "lists the communication benchmarks of ATLAS DAQ note 48",
	.family = family,
	.run = print_family,
};
