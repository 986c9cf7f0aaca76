/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/values.h"
#include "result/reader.h"
#include "result/store/sqlite.h"

char *history_file(const char *directory)
{
	char *path = NULL;

	if (asprintf(&path, "%s/history.sqlite", directory) < 0)
		path = NULL;
	return memory_or_exit(path);
}

static int collect_history(struct past_runs *all, const char *directory)
{
	char *path = history_file(directory);
	json_t *documents = NULL, *doc;
	size_t i;
	int err = store_read(path, &documents);

	json_array_foreach(documents, i, doc) {
		if (!err)
			err = result_check(path, doc);
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
