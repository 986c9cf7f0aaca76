/* SPDX-License-Identifier: Apache-2.0 */
#include "analyse/history/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/compare/differ.h"
#include "analyse/runs/kept.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"

/* ---- keys ---- */

/*
 * Returns a copy of an object without its incidental members, as a new reference. `path` is the
 * object's path.
 */
static json_t *copy_comparable_members(const char *path, const json_t *object)
{
	json_t *kept = json_object(), *member;
	const char *name;
	char longer[256];

	json_object_foreach((json_t *)object, name, member) {
		snprintf(longer, sizeof(longer), "%s.%s", path, name);
		if (!member_is_incidental(longer))
			json_object_set(kept, name, member);
	}
	return kept;
}

/*
 * Returns the hosts of the ranks, each once, or else the host that computed the result. It is a new
 * reference.
 */
static json_t *list_hosts(const json_t *environment)
{
	json_t *seen = json_object(), *names = json_array(), *rank;
	size_t i;

	json_array_foreach(result_at(environment, "ranks"), i, rank) {
		const char *host = result_text(rank, "host");

		if (json_object_get(seen, host))
			continue;
		json_object_set_new(seen, host, json_true());
		json_array_append_new(names, json_string(host));
	}
	if (!json_array_size(names))
		json_array_append_new(names, json_string(result_text(environment, "host.name")));
	json_decref(seen);
	return names;
}

/* Returns the key of a result, as a new reference. Results that can be compared have equal keys. */
static json_t *make_key(const json_t *doc)
{
	const json_t *environment = document_environment(doc);

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:O?}", "command", document_command(doc),
			 "definition", document_definition(doc), "hosts", list_hosts(environment),
			 "backend",
			 copy_comparable_members("backend", result_at(environment, "backend")),
			 "options", copy_comparable_members("options", document_options(doc)),
			 "ranks", result_at(environment, "nranks"));
}

char *key_differences(const json_t *a, const json_t *b)
{
	json_t *found = json_object(), *pair;
	const char *path, *between = "";
	char *text = NULL;
	FILE *to = text_open(&text);

	members_differ(found, "", (json_t *)a, (json_t *)b);
	json_object_foreach(found, path, pair) {
		fputs(between, to);
		put_difference(to, path, pair, ", ");
		between = "; ";
	}
	if (!json_object_size(found))
		fputs("one has options or backend facts that the other lacks", to);
	json_decref(found);
	return memory_or_exit(text_close(to, &text));
}

/* ---- runs ---- */

/* Adds one run, with a reference to its result. */
static void add_run(struct past_runs *all, const char *name, json_t *doc)
{
	all->at = memory_grow(all->at, all->n, sizeof(*all->at));
	all->at[all->n++] = (struct past_run){ .name = memory_or_exit(strdup(name)),
					       .doc = json_incref(doc), .key = make_key(doc),
					       .start = result_start_time(doc) };
}

int past_runs_add(struct past_runs *all, const char *name, json_t *doc)
{
	json_t *member;
	size_t i;

	if (!document_runs(doc))
		add_run(all, name, doc);
	json_array_foreach(document_runs(doc), i, member) {
		struct kept_run run;
		int err = kept_run_read(name, member, &run);

		if (err)
			return err;
		if (run.counted)
			add_run(all, name, run.doc);
	}
	return ST_OK;
}

void past_runs_free(struct past_runs *all)
{
	for (size_t i = 0; i < all->n; i++) {
		free(all->at[i].name);
		json_decref(all->at[i].doc);
		json_decref(all->at[i].key);
	}
	free(all->at);
	*all = (struct past_runs){ 0 };
}

static int compare_starts(const void *a, const void *b)
{
	double x = ((const struct past_run *)a)->start, y = ((const struct past_run *)b)->start;

	return (isnan(x) ? 1 : 0) - (isnan(y) ? 1 : 0) + (x > y) - (x < y);
}

void past_runs_sort(struct past_runs *all)
{
	if (all->n)
		qsort(all->at, all->n, sizeof(*all->at), compare_starts);
}

const char *past_run_id(const struct past_run *run)
{
	return result_text(run->doc, "environment.run.id");
}

bool past_runs_have(const struct past_runs *all, const struct past_run *run)
{
	const char *id = past_run_id(run);

	for (size_t i = 0; i < all->n && *id; i++)
		if (!strcmp(past_run_id(&all->at[i]), id))
			return true;
	return false;
}

size_t number_series(const struct past_runs *all, size_t *series)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		size_t k = 0;

		while (k < i && !json_equal(all->at[k].key, all->at[i].key))
			k++;
		series[i] = k < i ? series[k] : n++;
	}
	return n;
}

char *series_name(const struct past_run *run)
{
	const json_t *environment = document_environment(run->doc);
	const char *backend = result_text(environment, "backend.name");
	char *hosts, *text = NULL;
	size_t n;

	hosts = result_hosts(environment, &n);
	if (asprintf(&text, "%s%s%s%s%s", document_command(run->doc), *backend ? " -b " : "",
		     backend, *hosts ? " on " : "", hosts) < 0)
		memory_or_exit(NULL);
	free(hosts);
	return text;
}
