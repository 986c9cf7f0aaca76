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

/* Adds the findings and the curves of the runs of a series. */
static int tell_series(const struct past_runs *runs, const struct tell_ask *ask,
		       struct findings *found, struct curves *curves)
{
	char *name = series_name(&runs->at[runs->n - 1]);
	struct nights nights;
	struct trend trend = { 0 };
	int err = nights_make(&nights, runs->at, runs->n, &(struct night_rule){ 0, 1 },
			      ask->measure);

	if (!err) {
		trend_find(&trend, &nights, ask->least);
		err = trend_findings(&trend, runs->at, name, found);
	}
	if (!err)
		curves_add(curves, &trend, name);
	trend_free(&trend);
	nights_free(&nights);
	free(name);
	return err;
}

/* The runs of series k. */
static int choose_series(const struct past_runs *all, const size_t *series, size_t k,
			 struct past_runs *runs)
{
	int err = ST_OK;

	for (size_t i = 0; i < all->n && !err; i++)
		if (series[i] == k)
			err = past_runs_add(runs, all->at[i].name, all->at[i].doc);
	return err;
}

static int report_history(const struct settings *st, const struct past_runs *all,
			  const struct tell_ask *ask, const struct findings *found,
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
		err = out_write_file(path, svg, strlen(svg), out_instead(overwrite));
	free(svg);
	return err;
}

/* Draws after all is said, so that a fault of gnuplot takes nothing away. */
static int tell_all(const struct settings *st, const struct tell_ask *ask,
		    const struct past_runs *all, const size_t *series, size_t n)
{
	struct findings found = { .n = 0 };
	struct curves curves = { .n = 0 };
	int err = ST_OK;

	for (size_t k = 0; k < n && !err; k++) {
		struct past_runs runs = { 0 };

		err = choose_series(all, series, k, &runs);
		if (!err)
			err = tell_series(&runs, ask, &found, &curves);
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

int history_tell(const struct settings *st, const struct tell_ask *ask)
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
		err = tell_all(st, ask, &all, series, past_series(&all, series));
	}
	past_runs_free(&all);
	free(series);
	return err;
}
