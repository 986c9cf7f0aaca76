/* SPDX-License-Identifier: Apache-2.0 */
/* Results of many nights: keeps them, judges a night, says since when what is slower. */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cmd/gate.h"
#include "cmd/history/add.h"
#include "cmd/history/tell.h"
#include "cmd/margin.h"

struct history_options {
	const char *margin, *measure;
};

static const struct opt options[] = {
	{ 0, "margin", "percent", OPT_TEXT, offsetof(struct history_options, margin), .def = "5%",
	  .help = "an alarm of gate, or a change, needs a point that differs by more" },
	{ 0, "measure", "column", OPT_TEXT, offsetof(struct history_options, measure),
	  .help = "what to judge: a column in s, B/s, msg/s, Hz or cycles; by default the "
		  "command's main one" },
	{ 0 },
};

static int run_history(const struct settings *st, int n, char **operands)
{
	const struct history_options *o = st->own;
	const char *directory = n > 1 ? operands[1] : NULL;
	struct gate_ask gate = { .measure = o->measure, .n = n - 2 };
	int err;

	if (n > 2 && !strcmp(operands[0], "add"))
		return history_add(directory, n - 2, operands + 2);
	if (n > 2 && !strcmp(operands[0], "gate")) {
		gate.history = (struct texts){ &directory, 1 };
		gate.fresh = operands + 2;
		err = margin_parse(o->margin, &gate.margin);
		return err ? err : gate_run(st, &gate);
	}
	if (n == 1) {
		err = margin_parse(o->margin, &gate.margin);
		return err ? err : history_tell(st, operands[0], gate.margin, o->measure);
	}
	return error_usage("expected the directory of a history, or 'add' or 'gate' with one and "
			   "with results");
}

const struct command cmd_history = {
	.name = "history",
	.summary = "many nights: since when what is slower; the gate of a night",
	.operands = "[add|gate] DIR [file ...]",
	.reads_operands = true,
	.options = options,
	.options_size = sizeof(struct history_options),
	.output = true,
	.run = run_history,
};
