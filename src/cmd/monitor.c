/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/monitor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/monitor/judge.h"
#include "base/error.h"
#include "base/file.h"
#include "base/values.h"
#include "measure/sink/sink.h"
#include "result/document.h"
#include "show/monitor/metrics.h"
#include "show/monitor/words.h"

/* While a run goes on, the latest LATEST intervals are judged after each EACH intervals. */
#define LATEST 1000
#define EACH 100

struct changes_state {
	struct monitored timeline;
	json_t *rows;		/* rows of the latest interval, for --metrics; else NULL */
	size_t ended;		/* intervals that have ended in this run */
	bool metrics_failed;	/* a fault of the file of --metrics was reported */
};

static void *open_changes(const struct session *s)
{
	struct changes_state *c = memory_new(1, sizeof(*c));

	c->rows = s->settings->monitoring.metrics ? json_array() : NULL;
	return c;
}

static void take_row(void *state, const json_t *row)
{
	struct changes_state *c = state;
	const json_t *first = json_array_get(c->rows, 0);

	timeline_add(&c->timeline, row);
	if (strcmp(row_text(first, COL_BEGUN), row_text(row, COL_BEGUN)) != 0)
		json_array_clear(c->rows);
	if (c->rows && !row_is_gap(row))
		json_array_append_new(c->rows, json_deep_copy(row));
}

/* Returns the rules from the options, with the limits of --fail-if. */
static struct timeline_rules rules_of(const struct session *s)
{
	const struct monitoring *o = &s->settings->monitoring;

	return (struct timeline_rules){
		.interval_s = o->interval_s, .change = o->change / 100, .flap_s = o->flap_s,
		.fail_change = o->limits.change, .fail_flaps = o->limits.flaps,
		.fail_up = o->limits.availability };
}

/* Prints the changes among the latest intervals that were not printed before. */
static void tell_new_changes(struct session *s, struct changes_state *c)
{
	const struct timeline_rules rules = rules_of(s);
	struct monitored *t = &c->timeline;
	struct findings found = { .n = 0 }, news = { .n = 0 };
	json_t *lines, *line;
	size_t i;

	if (timeline_judge(t, t->n > LATEST ? t->n - LATEST : 0, &rules, &found))
		session_abort(s, ST_FAILED);
	for (const struct finding *f = found.at; f < found.at + found.n; f++) {
		double at = result_number(f->evidence, "at_s");
		struct finding again = *f;

		if (strcmp(f->kind, "change") != 0 || at <= t->tracks[f->of].told_s)
			continue;
		t->tracks[f->of].told_s = at;
		json_incref(again.evidence);
		findings_add(&news, &again);
	}
	lines = monitor_words(&news);
	progress_clear(&s->sink->progress);
	json_array_foreach(lines, i, line)
		error_warn("%s (UTC)", json_string_value(line));
	json_decref(lines);
	findings_free(&news);
	findings_free(&found);
}

/*
 * Writes the file of --metrics. The run goes on if that fails; the fault is reported once. Looks
 * for changes from time to time.
 */
static void end_interval(struct session *s, void *state)
{
	struct changes_state *c = state;
	const struct monitored *t = &c->timeline;
	const char *path = s->settings->monitoring.metrics;
	struct metrics m = { .command = s->settings->command, .rows = c->rows };
	char *text;

	if (!t->n)
		return;
	m.up = !(t->flags[t->n - 1] & INTERVAL_DOWN);
	m.begun_s = t->at[t->n - 1];
	text = path ? metrics_text(&m) : NULL;
	if (path && file_replace(path, text, strlen(text)) && !c->metrics_failed) {
		c->metrics_failed = true;
		error_report("cannot write '%s': %s", path, strerror(errno));
	}
	free(text);
	json_array_clear(c->rows);
	if (++c->ended % EACH == 0)
		tell_new_changes(s, c);
}

static int conclude_changes(struct session *s, void *state)
{
	const struct timeline_rules rules = rules_of(s);
	struct changes_state *c = state;
	struct findings found = { .n = 0 };
	json_t *words, *line;
	size_t i;
	int verdict;

	timeline_drop_incomplete(&c->timeline);
	if (!c->timeline.n)
		return s->settings->monitoring.fail_if
			       ? error_no_verdict("no interval is complete: '--fail-if' cannot be "
						  "judged") : ST_OK;
	if (timeline_judge(&c->timeline, 0, &rules, &found))
		return ST_FAILED;
	words = monitor_words(&found);
	json_array_foreach(words, i, line)
		sink_add_footer(s, "%s%s", i ? "\n" : "", json_string_value(line));
	json_object_set_new(s->sink->record.summary, "over_time", words);
	json_object_set_new(s->sink->record.summary, "findings",
			    findings_json(&found, monitor_sentences, RATE_BYTE));
	verdict = findings_report(&found, monitor_sentences, RATE_BYTE);
	findings_free(&found);
	return c->metrics_failed && !verdict ? ST_FAILED : verdict;
}

static void close_changes(void *state)
{
	struct changes_state *c = state;

	timeline_free(&c->timeline);
	json_decref(c->rows);
	free(c);
}

const struct monitor_hooks monitor_changes = {
	.open = open_changes, .row = take_row, .interval = end_interval,
	.conclude = conclude_changes, .close = close_changes,
};
