/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/gate.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyse/history/gate.h"
#include "base/error.h"
#include "base/text.h"
#include "cmd/collect.h"
#include "config.h"
#include "host/record.h"
#include "result/document.h"
#include "show/history/words.h"

/*
 * Checks that there are three or six runs of tonight, and that all belong to the same series.
 * Returns ST_OK or ST_USAGE (reported).
 */
static int check_fresh(const struct past_runs *fresh)
{
	if (fresh->n != NIGHT_RUNS && fresh->n != 2 * NIGHT_RUNS)
		return error_usage("expected %d runs of tonight, or %d after an alarm: %zu given",
				   NIGHT_RUNS, 2 * NIGHT_RUNS, fresh->n);
	for (size_t i = 1; i < fresh->n; i++)
		if (!json_equal(fresh->at[0].key, fresh->at[i].key)) {
			char *how = key_differences(fresh->at[0].key, fresh->at[i].key);
			int err = error_usage("runs of tonight are not alike: '%s' and '%s' differ "
					      "by %s", fresh->at[0].name, fresh->at[i].name,
					      how ? how : "?");

			free(how);
			return err;
		}
	return ST_OK;
}

/*
 * Collects the history's runs of the same series as tonight's runs, followed by tonight's runs.
 * Returns ST_OK or an error (reported).
 */
static int collect_alike(const struct past_runs *history, const struct past_runs *fresh,
			 struct past_runs *all)
{
	const struct past_run *like = &fresh->at[0], *run;
	int err = ST_OK;

	for (size_t i = 0; i < history->n && !err; i++) {
		run = &history->at[i];
		if (json_equal(run->key, like->key) && !past_runs_have(fresh, run))
			err = past_runs_add(all, run->name, run->doc);
	}
	if (!err && !all->n && history->n) {
		char *how = key_differences(history->at[history->n - 1].key, like->key);

		err = error_no_verdict("the history has no run like those of tonight; its latest "
				       "run differs by %s", how ? how : "?");
		free(how);
	}
	for (size_t i = 0; i < fresh->n && !err; i++)
		err = past_runs_add(all, fresh->at[i].name, fresh->at[i].doc);
	return err;
}

static int report_gate(const struct settings *st, const struct past_runs *all,
		       const struct nights *nights, const struct gate *gate,
		       const struct findings *found)
{
	const struct past_run *last = &all->at[all->n - 1];
	char *name = series_name(last), *footer = history_words(found);
	struct text title = text_from("netbench %s history: %s of %s, %zu run%s of tonight and %zu "
				      "night%s before", NETBENCH_VERSION,
				      columns[nights->table.measure.id].name, name ? name : "?",
				      gate->looks * NIGHT_RUNS, "s", gate->before,
				      gate->before == 1 ? "" : "s");
	int err;

	err = history_write(&st->output, &(struct history_record){
		.definition = "history.gate.v1", .title = title.s, .footer = footer,
		.computed = result_is_computed(last->doc),
		.emulated = result_is_emulated(last->doc),
		.options = st->options, .environment = host_collect(), .found = found });
	free(name);
	free(footer);
	return err;
}

static int judge_night(const struct settings *st, const struct gate_request *ask,
		       const struct past_runs *all, size_t fresh)
{
	struct findings found = { .n = 0 };
	struct nights nights;
	struct gate gate;
	int err = nights_make(&nights, all->at, all->n,
			      &(struct night_rule){ fresh, NIGHT_RUNS }, ask->measure);

	if (!err) {
		gate_judge(&nights, fresh / NIGHT_RUNS, ask->margin, &gate);
		gate_findings(&nights, &gate, &found);
		err = report_gate(st, all, &nights, &gate, &found);
	}
	if (!err)
		err = findings_report(&found, history_sentences, RATE_BYTE);
	findings_free(&found);
	nights_free(&nights);
	return err;
}

int gate_run(const struct settings *st, const struct gate_request *ask)
{
	struct past_runs history = { 0 }, fresh = { 0 }, all = { 0 };
	int err = report_check(&st->output);

	for (size_t i = 0; i < ask->history.n && !err; i++)
		err = collect_results(&history, ask->history.v[i]);
	for (int i = 0; i < ask->n && !err; i++)
		err = collect_results(&fresh, ask->fresh[i]);
	past_runs_sort(&history);
	if (!err)
		err = check_fresh(&fresh);
	if (!err)
		err = collect_alike(&history, &fresh, &all);
	if (!err)
		err = judge_night(st, ask, &all, fresh.n);
	past_runs_free(&history);
	past_runs_free(&fresh);
	past_runs_free(&all);
	return err;
}
