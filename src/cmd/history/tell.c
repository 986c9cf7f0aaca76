/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/history/tell.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/history/curves.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"
#include "cmd/collect.h"
#include "config.h"
#include "host/record.h"
#include "result/document.h"
#include "result/out.h"
#include "show/history/picture.h"
#include "show/history/words.h"

/*
 * Finds the changes in the runs of a series. Adds the findings and the curves of the series.
 * Returns ST_OK or another ST_*.
 */
static int add_series_changes(const struct past_runs *runs, const struct history_request *ask,
			      struct findings *found, struct curves *curves)
{
	char *name = series_name(&runs->at[runs->n - 1]);
	struct nights nights;
	struct trend trend = { 0 };
	int err = nights_make(&nights, runs->at, runs->n, &(struct night_rule){ 0, 1 },
			      ask->measure);

	if (!err) {
		trend_find_changes(&trend, &nights, ask->least);
		trend_findings(&trend, runs->at, name, found);
		curves_add(curves, &trend, name);
	}
	trend_free(&trend);
	nights_free(&nights);
	free(name);
	return err;
}

/* Adds all runs of series k to `runs`. Returns ST_OK or another ST_*. */
static int add_runs_of_series(const struct past_runs *all, const size_t *series, size_t k,
			      struct past_runs *runs)
{
	int err = ST_OK;

	for (size_t i = 0; i < all->n && !err; i++)
		if (series[i] == k)
			err = past_runs_add(runs, all->at[i].name, all->at[i].doc);
	return err;
}

static int report_history(const struct settings *st, const struct past_runs *all,
			  const struct history_request *ask, const struct findings *found,
			  const struct curves *curves)
{
	struct text title = text_from("netbench %s history: %s", NETBENCH_VERSION, ask->paths[0]);
	char *footer = history_words(found);
	bool computed = true, emulated = false;
	int err;

	if (ask->npaths > 1)
		text_add(&title, " and %d more", ask->npaths - 1);
	text_add(&title, ", %zu run%s", all->n, all->n == 1 ? "" : "s");
	for (size_t i = 0; i < all->n; i++) {
		computed &= result_is_computed(all->at[i].doc);
		emulated |= result_is_emulated(all->at[i].doc);
	}
	err = history_write(&st->output, &(struct history_record){
		.definition = "history.changes.v2", .title = title.s, .footer = footer,
		.computed = computed, .emulated = emulated, .options = st->options,
		.environment = host_collect(), .found = found, .curves = curves });
	free(footer);
	return err;
}

static int write_picture(const struct curves *curves, const char *path, bool overwrite)
{
	char *svg = NULL;
	int err = trend_draw(curves, "", &svg);

	if (!err)
		err = out_write_file(path, svg, strlen(svg), out_advice(overwrite));
	free(svg);
	return err;
}

/*
 * Reports the changes of all series, then draws the picture. A fault of gnuplot therefore does not
 * prevent the report. Returns ST_OK or another ST_*.
 */
static int report_all_series(const struct settings *st, const struct history_request *ask,
			     const struct past_runs *all, const size_t *series, size_t n)
{
	struct findings found = { .n = 0 };
	struct curves curves = { .n = 0 };
	int err = ST_OK;

	for (size_t k = 0; k < n && !err; k++) {
		struct past_runs runs = { 0 };

		err = add_runs_of_series(all, series, k, &runs);
		if (!err)
			err = add_series_changes(&runs, ask, &found, &curves);
		past_runs_free(&runs);
	}
	if (!err)
		err = report_history(st, all, ask, &found, &curves);
	if (!err && ask->plot)
		err = write_picture(&curves, ask->plot, st->output.overwrite);
	curves_free(&curves);
	findings_free(&found);
	return err;
}

int history_report_changes(const struct settings *st, const struct history_request *ask)
{
	struct past_runs all = { 0 };
	size_t *series = NULL;
	int err = report_check(&st->output);

	for (int i = 0; i < ask->npaths && !err; i++)
		err = collect_results(&all, ask->paths[i]);
	if (!err && !all.n)
		err = error_no_verdict("'%s' has no runs yet", ask->paths[0]);
	if (!err) {
		series = memory_new(all.n, sizeof(*series));
		past_runs_sort(&all);
		err = report_all_series(st, ask, &all, series, number_series(&all, series));
	}
	past_runs_free(&all);
	free(series);
	return err;
}
