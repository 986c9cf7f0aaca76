/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes a result that is read as a whole and row by row, and what report, compare, plot or merge
 * makes of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/values.h"
#include "cli/command.h"
#include "result/reader.h"
#include "result/rows.h"
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

/*
 * Aborts unless the rows that are read one by one, and the rest, equal those of the document read
 * as a whole.
 */
static void read_rows(const char *path, json_t *doc)
{
	struct result_rows r;
	const json_t *row = NULL;
	int err = result_rows_open(&r, path);
	size_t n = 0;

	while (!err && !(err = result_rows_next(&r, &row)) && row)
		if (doc && !json_equal(row, json_array_get(json_object_get(doc, "rows"), n++)))
			abort();
	if (doc && (err || n != json_array_size(json_object_get(doc, "rows"))))
		abort();
	if (doc) {
		json_t *whole = json_copy(doc);

		json_object_set(whole, "rows", json_object_get(r.doc, "rows"));
		if (!json_equal(whole, r.doc))
			abort();
		json_decref(whole);
	}
	result_rows_close(&r);
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
	doc = NULL;
	if (result_read(path, &doc)) {
		read_rows(path, NULL);
		return 0;
	}
	read_rows(path, doc);
	json_decref(doc);
	if (size % 4 == 0)
		run((const char *const[]){ "report", path }, 2);
	else if (size % 4 == 1)
		run((const char *const[]){ "compare", path, path }, 3);
	else if (size % 4 == 2)
		run((const char *const[]){ "merge", path }, 2);
	else
		run((const char *const[]){ "plot", "--script", path }, 3);
	return 0;
}
