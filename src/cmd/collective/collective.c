/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures collective operations, with the transport's own implementation or with netbench's
 * algorithms. An operation ends when all ranks have left it (COLLECTIVES.md 37).
 */
#include "base/values.h"
#include "cli/command.h"
#include "cmd/collective/fill.h"
#include "cmd/collective/guidelines.h"
#include "cmd/collective/plan.h"
#include "cmd/monitor.h"
#include "model/schedule/operation.h"

static const struct opt options[] = {
	{ 0, "operation", "list", OPT_CHOICES, offsetof(struct collective_options, operations),
	  .def = "barrier,bcast,allgather,alltoall,allreduce", .choices = operation_names,
	  .help = "operations: barrier, bcast, scatter, gather, allgather, alltoall, reduce, "
		  "allreduce, reduce-scatter" },
	{ 0, "algorithm", "list", OPT_TEXT, offsetof(struct collective_options, algorithms),
	  .help = "algorithms: names, native (the transport's own), native:A or native:A+B "
		  "(the operation composed of others, as native:reduce+bcast), own:A+B (composed "
		  "of netbench's), or all; default: native, if the backend has it, and netbench's "
		  "algorithm that is fastest by the network's parameters" },
	{ 0, "segment", "bytes", OPT_SIZE, offsetof(struct collective_options, segment),
	  .def = "8k", .min = 1, .max = 1 << 30, .help = "segment size of algorithm chain" },
	{ 0, "root", "rank", OPT_UINT, offsetof(struct collective_options, root), .def = "0",
	  .max = 1 << 24, .word = "rotate",
	  .help = "root of bcast, scatter, gather, reduce; rotate: another rank each repetition" },
	{ 0, "in-place", NULL, OPT_FLAG, offsetof(struct collective_options, in_place),
	  .help = "the result replaces the input in the same buffer" },
	{ 0, "reduce-op", "op", OPT_CHOICE, offsetof(struct collective_options, reduce_op),
	  .def = "sum", .choices = reduce_op_names,
	  .help = "how reductions combine elements: sum or max" },
	{ 0, "values", "kind", OPT_CHOICE, offsetof(struct collective_options, values),
	  .def = "whole", .choices = values_names,
	  .help = "elements of reductions: whole numbers, whose sums are exact, or real numbers, "
		  "whose sums are verified within the bound of rounding" },
	{ 0, "cache", "state", OPT_CHOICE, offsetof(struct collective_options, cache),
	  .def = "warm", .choices = cache_names,
	  .help = "warm: all operations use the same buffers; rotate: each operation of a block "
		  "finds its buffers outside the caches" },
	{ 0, "overlap", NULL, OPT_FLAG, offsetof(struct collective_options, overlap),
	  .help = "also measure how much of a nonblocking native operation is hidden behind "
		  "computing" },
	{ 'l', "loops", "count", OPT_UINT, offsetof(struct collective_options, in_a_row),
	  .def = "0", .max = 1 << 24, .aka = "iterations iters",
	  .help = "operations in a row after one common start, which is another quantity; 0: each "
		  "operation has its own start" },
	COLLECTIVE_JUDGING_OPTIONS,
	{ 0 },
};

static const uint64_t sizes[] = {
	8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144,
	524288, 1048576,
};

#define TAILS(id) id, id##_LO, id##_HI
static const enum column_id columns_of[] = {
	COL_OPERATION, COL_ALGORITHM, COL_RANKS, COL_ROOT, COL_SIZE,
	TAILS(COL_COLLECTIVE), COL_COLLECTIVE_MIN, COL_COLLECTIVE_P90, COL_COLLECTIVE_P99,
	COL_COLLECTIVE_MAX, COL_RANK_P50, COL_RANK_FIRST, COL_SPREAD, COL_ALGBW, COL_BUSBW,
	TAILS(COL_BEHIND_BARRIER), COL_OSU_AVG, COL_OSU_MIN, COL_OSU_MAX, COL_BACK_TO_BACK,
	COL_LATE_STARTS, COL_ERRORS, COL_STOP, COL_NOTE,
	/* the following columns appear only in files */
	COL_BACK_TO_BACK_LO, COL_BACK_TO_BACK_HI, COL_CLOCK_ERROR, COL_LOOPS, COL_REPETITIONS,
	COL_CI_METHOD, COL_VISITS, COL_CHECKED, COL_SUM, COL_OVERLAP,
};
#define NFILES 10	/* number of columns only in files; they come last */

/* Columns of the table on terminals of 80 characters. */
static const enum column_id narrow[] = {
	COL_OPERATION, COL_ALGORITHM, COL_SIZE, COL_COLLECTIVE, COL_BEHIND_BARRIER,
	COL_BACK_TO_BACK, COL_RANK_FIRST,
};

static const struct benchmark collective = {
	.definition = "collective.until-last-out.v1",
	.columns = { .id = columns_of, .n = LENGTH(columns_of),
		     .ntable = LENGTH(columns_of) - NFILES,
		     .narrow = narrow, .nnarrow = LENGTH(narrow) },
	.sizes = { .max_log2 = 20, .list = sizes, .n = LENGTH(sizes) },
	.min_ranks = 1,
	.traits = SWEEPS_RANKS | COMMON_STARTS,
	.plan = plan_collective,
	.label = label_collective,
	.fill = fill_collective,
	.observe = observe_collective,
	.conclude = conclude_guidelines,
};

const struct command cmd_collective = {
	.name = "collective",
	.summary = "collective operations: native, and by algorithm",
	.options = options,
	.options_size = sizeof(struct collective_options),
	.lead = "backend ranks operation algorithm sizes guidelines output",
	.bench = &collective,
	.modes = (const struct mode *const[]){ &collective_from, NULL },
	.monitor = &monitor_changes,
};
