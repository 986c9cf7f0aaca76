/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/error.h"
#include "result/document.h"
#include "result/reader.h"
#include "result/store/sqlite.h"

char *history_file(const char *directory)
{
	char *path;

	if (asprintf(&path, "%s/history.sqlite", directory) < 0) {
		error_report("no memory for a file's name");
		return NULL;
	}
	return path;
}

/*
 * Checks a result from a database in the same way as a result from a file. Returns ST_OK or an
 * error (reported).
 */
static int check_result(const char *path, json_t *doc)
{
	struct result_known *known = NULL;
	json_t *row;
	size_t i;
	int err = result_check_head(path, doc, &known);

	json_array_foreach(document_rows(doc), i, row)
		if (!err)
			err = result_check_row(path, known, i + 1, row);
	free(known);
	return err;
}

static int collect_history(struct past_runs *all, const char *directory)
{
	char *path = history_file(directory);
	json_t *documents = NULL, *doc;
	size_t i;
	int err = path ? store_read(path, &documents) : ST_FAILED;

	json_array_foreach(documents, i, doc) {
		if (!err)
			err = check_result(path, doc);
		if (!err)
			err = past_runs_add(all, path, doc);
	}
	json_decref(documents);
	free(path);
	return err;
}

int collect_results(struct past_runs *all, const char *path)
{
	struct stat st;
	json_t *doc;
	int err;

	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return collect_history(all, path);
	err = result_read(path, &doc);
	if (err)
		return err;
	err = past_runs_add(all, path, doc);
	json_decref(doc);
	return err;
}
