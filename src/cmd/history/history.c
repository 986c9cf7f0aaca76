/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command history. The command keeps the results of many nights, compares a night with earlier
 * nights, and finds what became slower and when.
 */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cmd/gate.h"
#include "cmd/history/add.h"
#include "cmd/history/tell.h"
#include "cmd/margin.h"

struct history_options {
	const char *margin, *measure, *plot;
};

static const struct opt options[] = {
	{ 0, "margin", "percent", OPT_TEXT, offsetof(struct history_options, margin), .def = "5%",
	  .help = "gate raises an alarm, and a change is reported, only if a point differs by "
		  "more" },
	{ 0, "measure", "column", OPT_TEXT, offsetof(struct history_options, measure),
	  .help = "what to judge: a column in s, B/s, msg/s, Hz or cycles; by default the "
		  "command's main one" },
	{ 0, "plot", "file", OPT_TEXT, offsetof(struct history_options, plot),
	  .file = OPT_WRITTEN, .help = "without add and gate: draw the trends into this .svg" },
	{ 0 },
};

static int run_history(const struct settings *st, int n, char **operands)
{
	const struct history_options *o = st->own;
	const char *directory = n > 1 ? operands[1] : NULL;
	struct gate_request gate = { .measure = o->measure, .n = n - 2 };
	struct history_request tell = { operands, n, 0, o->measure, o->plot };
	bool verb = n && (!strcmp(operands[0], "add") || !strcmp(operands[0], "gate"));
	double margin;
	int err = margin_parse(o->margin, &margin);

	if (err)
		return err;
	if (o->plot && verb)
		return error_usage("'--plot' is not for '%s'", operands[0]);
	if (o->plot && (strlen(o->plot) < 5 || strcmp(o->plot + strlen(o->plot) - 4, ".svg") != 0))
		return error_usage("'%s' of '--plot' does not end in .svg", o->plot);
	if (n > 2 && !strcmp(operands[0], "add"))
		return history_add(directory, n - 2, operands + 2);
	if (n > 2 && !strcmp(operands[0], "gate")) {
		gate.history = (struct texts){ &directory, 1 };
		gate.fresh = operands + 2;
		gate.margin = margin;
		return gate_run(st, &gate);
	}
	tell.least = margin;
	if (n && !verb)
		return history_report_changes(st, &tell);
	return error_usage("expected the directory of a history or results, or 'add' or 'gate' "
			   "with a directory and with results");
}

const struct command cmd_history = {
	.name = "history",
	.summary = "many nights: find what became slower and when; judge a night",
	.operands = "[add|gate] DIR|file ...",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct history_options),
	.output = true,
	.run = run_history,
};
