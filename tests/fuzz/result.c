/* SPDX-License-Identifier: Apache-2.0 */
/* A result that is read, and what report, compare or plot makes of it. */
#include <stdio.h>
#include <stdlib.h>

#include "base/values.h"
#include "cli/command.h"
#include "result/reader.h"
#include "fuzz.h"

static void run(const char *const *words, int n)
{
	struct command_line line;
	char *argv[8];

	for (int i = 0; i < n; i++)
		argv[i] = (char *)(uintptr_t)words[i];
	if (!command_line_read(&line, command_find(argv[0]), n, argv) && !command_line_bind(&line))
		line.cmd.run(&line.settings, line.args.noperands, line.args.operands);
	command_line_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *out;
	const char *path = fuzz_file(data, size);
	json_t *doc;

	if (!out) {
		fuzz_hush();
		out = freopen("/dev/null", "w", stdout);
	}
	if (result_read(path, &doc))
		return 0;
	json_decref(doc);
	if (size % 3 == 0)
		run((const char *const[]){ "report", path }, 2);
	else if (size % 3 == 1)
		run((const char *const[]){ "compare", path, path }, 3);
	else
		run((const char *const[]){ "plot", "--script", path }, 3);
	return 0;
}
