/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/history/add.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/values.h"
#include "cmd/collect.h"
#include "result/document.h"
#include "result/store/sqlite.h"
#include "result/store/tables.h"

/* Checks that a run is complete and has an id and a start. Returns ST_OK or ST_USAGE (reported). */
static int check_run(const struct past_run *run)
{
	if (strcmp(document_status(run->doc), "complete") != 0)
		return error_usage("'%s' is not complete: its status is '%s'", run->name,
				   document_status(run->doc));
	if (!*past_run_id(run) || isnan(run->start))
		return error_usage("'%s' lacks the id or the start of its run: a history needs "
				   "both",
				   run->name);
	return ST_OK;
}

/*
 * Adds to `fresh` each run in `given` that the history `old` lacks. Returns ST_OK or an error
 * (reported).
 */
static int choose_new_runs(const struct past_runs *old, const struct past_runs *given,
			   struct past_runs *fresh)
{
	int err = ST_OK;

	for (size_t i = 0; i < given->n && !err; i++) {
		const struct past_run *run = &given->at[i];

		err = check_run(run);
		if (!err && !past_runs_have(old, run) && !past_runs_have(fresh, run))
			err = past_runs_add(fresh, run->name, run->doc);
	}
	return err;
}

/* Makes the new rows of the table "documents", without samples. Returns a new reference. */
static json_t *document_rows_of_runs(const struct past_runs *fresh)
{
	json_t *list = json_array();

	for (size_t i = 0; i < fresh->n; i++) {
		const struct past_run *run = &fresh->at[i];
		char *series = memory_or_exit(json_dumps(run->key, JSON_COMPACT | JSON_SORT_KEYS));
		char *text;
		json_t *row;
		size_t r;

		json_array_foreach(document_rows(run->doc), r, row)
			json_object_del(row, "samples");
		text = memory_or_exit(json_dumps(run->doc,
						 JSON_COMPACT | JSON_REAL_PRECISION(17)));
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s}", "run_id", past_run_id(run),
						"run_date",
						result_text(run->doc, "environment.time.start"),
						"series", series, "document", text));
		free(text);
		free(series);
	}
	return list;
}

/*
 * Appends the runs to the database: rows and verdicts in the form of `merge`, and the whole
 * documents. Returns ST_OK or an error (reported).
 */
static int write_runs(const struct past_runs *fresh, const char *path)
{
	struct merging all = { .n = (int)fresh->n };
	struct merged m[NTABLES] = { { "results", json_object(), 0, &all, false },
				     { "verdicts", json_object(), 0, &all, true } };
	json_t *documents = document_rows_of_runs(fresh);
	int err = ST_OK;

	all.kept = memory_new(fresh->n, sizeof(*all.kept));
	all.paths = memory_new(fresh->n, sizeof(*all.paths));
	for (size_t i = 0; i < fresh->n && !err; i++) {
		all.paths[i] = fresh->at[i].name;
		result_rows_from_document(&all.kept[i], fresh->at[i].doc, fresh->at[i].name);
		/* the run exists only in memory, so its file cannot be read again */
		all.kept[i].from.copied = true;
		err = merge_add_file(m, &all, (int)i);
	}
	if (!err)
		err = store_append(m, NTABLES, documents, path);
	for (size_t i = 0; i < fresh->n; i++)
		result_rows_close(&all.kept[i]);
	for (int t = 0; t < NTABLES; t++)
		json_decref(m[t].columns);
	json_decref(documents);
	free(all.kept);
	free(all.paths);
	return err;
}

/*
 * Prints how many runs were added, and how each new series differs from the run before it in the
 * history. Returns ST_OK or another ST_*.
 */
static int print_counts(const struct past_runs *old, const struct past_runs *fresh, size_t given)
{
	struct past_runs all = { 0 };
	size_t *series = memory_new(old->n + fresh->n, sizeof(*series)), before = 0, n;
	int err = ST_OK;

	for (size_t i = 0; i < old->n + fresh->n && !err; i++) {
		const struct past_run *run = i < old->n ? &old->at[i] : &fresh->at[i - old->n];

		err = past_runs_add(&all, run->name, run->doc);
	}
	if (!err) {
		n = number_series(&all, series);
		printf("%zu run%s added", fresh->n, fresh->n == 1 ? "" : "s");
		if (given > fresh->n)
			printf(", %zu already in the history", given - fresh->n);
		printf("; %zu run%s of %zu series\n", all.n, all.n == 1 ? "" : "s", n);
	}
	for (size_t i = 0; i < all.n && !err; i++) {
		bool new = i >= old->n && series[i] == before;
		char *how = new && i ? key_differences(all.at[i - 1].key, all.at[i].key) : NULL;

		before += series[i] == before;
		if (how)
			printf("'%s' begins a new series: %s\n", all.at[i].name, how);
		free(how);
	}
	free(series);
	past_runs_free(&all);
	return err;
}

int history_add(const char *directory, int n, char **paths)
{
	struct past_runs old = { 0 }, given = { 0 }, fresh = { 0 };
	char *path = history_file(directory);
	bool made = false;
	int err = ST_OK;

	for (int i = 0; i < n && !err; i++)
		err = collect_results(&given, paths[i]);
	if (!err)
		made = !mkdir(directory, 0777);
	if (!err && !made && errno != EEXIST)
		err = error_report("cannot make '%s': %s", directory, strerror(errno));
	if (!err && !access(path, F_OK))
		err = collect_results(&old, directory);
	if (!err)
		err = choose_new_runs(&old, &given, &fresh);
	if (!err && fresh.n)
		err = write_runs(&fresh, path);
	if (!err)
		err = print_counts(&old, &fresh, given.n);
	if (err && made)
		rmdir(directory); /* fails on purpose if the directory is not empty */
	past_runs_free(&old);
	past_runs_free(&given);
	past_runs_free(&fresh);
	free(path);
	return err;
}
