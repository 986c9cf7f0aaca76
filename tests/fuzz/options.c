/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes a command line, one word a line: its numbers, lists, sizes, times and choices, for each
 * type of option. Also reads the fields of a simulated network.
 */
#include <stdlib.h>
#include <string.h>

#include "base/values.h"
#include "cli/command.h"
#include "model/channel.h"
#include "model/loggp.h"
#include "transport/registry.h"
#include "fuzz.h"

#define WORDS 32

static void take(struct command_line *l)
{
	const struct backend *be = l->settings.be;
	bool is_board;
	struct loggp found;
	struct board board = { 0 };
	void *values;

	if ((l->cmd.bench && command_line_add(l)) || command_line_bind(l) || !l->cmd.bench || l->args.help)
		return;
	values = command_line_values(l, be->options, be->options_size);
	if (be->network && be->network(values, NULL, &found, &board, &is_board))
		return;
	if (be->check)
		be->check(values, &l->args, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const backends[] = { "sim", "shm", "tcp" };
	char *text = fuzz_text(data, size), *rest = text, *argv[WORDS + 1], why[64];
	struct command_line l;
	int n = 0;

	fuzz_hush();
	while (rest && n < WORDS)
		argv[n++] = strsep(&rest, "\n");
	argv[n] = NULL;
	if (command_find(argv[0]) && !command_line_read(&l, command_find(argv[0]), n, argv)) {
		if (l.cmd.bench)
			l.settings.be = backend_find(backends[size % LENGTH(backends)], why,
						     sizeof(why));
		take(&l);
		command_line_free(&l);
	}
	free(text);
	return 0;
}
