/* SPDX-License-Identifier: Apache-2.0 */
#include "rerun/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/values.h"
#include "rerun/child.h"
#include "result/document.h"
#include "analyse/runs/kept.h"

#define PADDING 4096 /* largest number of bytes added to the environment */
#define UNCOUNTED SIZE_MAX /* number of a block whose run is not counted */

/* ---- a run ---- */

/* Returns true if a document is a complete result. */
static bool is_complete_result(json_t *doc, const char *name)
{
	struct kept_run run;
	json_t *member = doc ? kept_run_json(&(struct kept_run){ .doc = doc }) : NULL;
	bool whole = member && !kept_run_read(name, member, &run) &&
		     !strcmp(document_status(doc), "complete");

	json_decref(member);
	return whole;
}

/* Returns the name of a run in messages; NULL if memory is short. The caller frees it. */
static char *make_run_name(const struct experiment *x, size_t line, size_t block)
{
	char *name;

	if (block == UNCOUNTED)
		return asprintf(&name, "the first run of '%s'", x->lines->at[line].text) < 0 ? NULL
											     : name;
	return asprintf(&name, "run %zu of '%s'", block + 1, x->lines->at[line].text) < 0 ? NULL
											  : name;
}

/*
 * Runs a line and stores its result in *run, a new reference. Returns ST_OK. On failure returns the
 * line's exit status or another fault, and sets x->why to the reason.
 */
static int run_line(struct experiment *x, size_t line, struct kept_run *run)
{
	const struct run_line *l = &x->lines->at[line];
	struct child_end end;
	char *name = make_run_name(x, line, run->block);
	time_t now = time(NULL);
	struct tm utc;
	int err;

	run->command = line;
	run->exit_status = -1;
	if (!gmtime_r(&now, &utc) ||
	    !strftime(run->start, sizeof(run->start), "%Y-%m-%dT%H:%M:%SZ", &utc))
		*run->start = '\0';
	err = child_run(l->program, l->argv, rng_next(&x->padding) % PADDING, &x->watched, &end);
	if (err) {
		snprintf(x->why, sizeof(x->why), "%s", end.words);
		free(name);
		return err;
	}
	x->signal = end.signal;
	run->seconds = end.seconds;
	run->exit_status = end.status;
	progress_clear(&x->progress);
	if (!x->signal && end.status) {
		err = end.status;
		snprintf(x->why, sizeof(x->why), "%s ended with status %d: %s",
			 name ? name : l->text, err, end.words);
	} else if (!x->signal && !is_complete_result(end.doc, name ? name : l->text)) {
		err = ST_FAILED;
		snprintf(x->why, sizeof(x->why), "%s printed no complete result in JSON",
			 name ? name : l->text);
	}
	if (!err && !x->signal)
		run->doc = json_incref(end.doc);
	json_decref(end.doc);
	free(name);
	return err;
}

/* Adds a run to x->runs and to the journal. */
static void keep_run(struct experiment *x, const struct kept_run *run)
{
	json_t *line = kept_run_json(run);

	json_array_append(x->runs, line);
	runs_journal_add(&x->journal, line);
	json_decref(line);
}

/* ---- a block ---- */

/* Shows in the progress line which run is next, and how much time is left. */
static void show_progress(struct experiment *x, size_t line, size_t block, double left_s)
{
	char left[48] = "", what[64] = "first run, not counted";

	if (!x->progress.on)
		return;
	if (block != UNCOUNTED)
		snprintf(what, sizeof(what), "block %zu", block + 1);
	if (block != UNCOUNTED && x->planned)
		snprintf(left, sizeof(left), " of %zu, about %.0f s left", x->planned,
			 (double)(x->planned - x->blocks) * x->block_s);
	else if (left_s > 0)
		snprintf(left, sizeof(left), ", at most %.0f s left", left_s);
	fprintf(stderr, "\r[%s: %s%s]\033[K", x->lines->at[line].label, what, left);
	fflush(stderr);
	x->progress.shown = true;
}

/* Adds the runs of a complete block to the results. */
static void add_block(struct experiment *x, struct kept_run *runs)
{
	size_t n = x->lines->n, have = x->blocks * n;

	for (size_t i = 0; i < n; i++) {
		x->results = memory_grow(x->results, have + i, sizeof(*x->results));
		x->results[have + i] = (struct run_result){ make_run_name(x, i, x->blocks),
							    runs[i].doc };
	}
	x->blocks++;
}

int experiment_block(struct experiment *x, double left_s)
{
	size_t n = x->lines->n, bad = n;
	uint32_t order[RUN_LINES];
	struct kept_run run[RUN_LINES] = { 0 };
	double begun = clock_wall();
	bool whole = true;
	int err = ST_OK;

	rng_permutation(&x->order, order, n);
	for (size_t i = 0; i < n && whole && !x->signal && !err; i++) {
		size_t line = order[i];

		run[line].block = x->blocks;
		run[line].place = i;
		show_progress(x, line, x->blocks, left_s);
		whole = !run_line(x, line, &run[line]);
		if (!whole) {
			error_warn("%s", x->why);
			x->failed[line]++;
			bad = line;
		}
	}
	if (!x->signal)
		x->signal = child_take_signal(&x->watched);
	for (size_t i = 0; i < n; i++) {
		run[i].counted = whole && !x->signal;
		if (run[i].start[0] && (run[i].doc || i == bad))
			keep_run(x, &run[i]);
	}
	if (whole && !x->signal)
		add_block(x, run);
	x->voids += !whole;
	for (size_t i = 0; i < n; i++)
		json_decref(run[i].doc); /* x->runs keeps its own reference */
	x->block_s = (x->block_s * (double)x->here + clock_wall() - begun) / (double)(x->here + 1);
	x->here++;
	if (!err && x->voids > 1 && 4 * x->voids > x->blocks + x->voids)
		err = error_report("%zu of %zu blocks are void: '%s' failed in the last one",
				   x->voids, x->blocks + x->voids,
				   x->lines->at[bad < n ? bad : 0].text);
	return err;
}

bool experiment_has_time(const struct experiment *x, double limit_s)
{
	return clock_wall() - x->begun + x->block_s <= limit_s;
}

/* ---- before the first one ---- */

/*
 * Adopts the runs and the complete blocks of an earlier experiment. Refuses an experiment with
 * other command lines.
 */
static int resume_experiment(struct experiment *x, const char *path)
{
	json_t *head = NULL, *runs = NULL, *of, *member;
	size_t i, n = x->lines->n, found = 0;
	struct kept_run block[RUN_LINES] = { 0 };
	int err = runs_journal_read(path, &head, &runs);

	of = json_object_get(head, "commands");
	if (!err && json_array_size(of) != n)
		err = error_usage("'%s' has runs of %zu command lines, not of %zu", path,
				  json_array_size(of), n);
	for (i = 0; i < n && !err; i++)
		if (strcmp(result_text(json_array_get(of, i), "words"), x->lines->at[i].text) != 0)
			err = error_usage("'%s' has runs of '%s', not of '%s'", path,
					  result_text(json_array_get(of, i), "words"),
					  x->lines->at[i].text);
	json_array_foreach(runs, i, member) {
		struct kept_run run = { .counted = false };

		if (!err)
			err = kept_run_read(path, member, &run);
		if (err)
			break;
		json_array_append(x->runs, member);
		if (!run.counted || run.block != x->blocks || run.command >= n ||
		    block[run.command].doc)
			continue;
		block[run.command] = run;
		if (++found < n)
			continue;
		add_block(x, block);
		memset(block, 0, sizeof(block));
		found = 0;
	}
	json_decref(head);
	json_decref(runs);
	return err;
}

/*
 * Runs each line once without counting the run. In a program's first run, memory and caches are in
 * another state than in later runs.
 */
static int run_uncounted(struct experiment *x)
{
	double begun = clock_wall();
	int err = ST_OK;

	for (size_t i = 0; i < x->lines->n && !err && !x->signal; i++) {
		struct kept_run run = { .block = UNCOUNTED };

		show_progress(x, i, UNCOUNTED, 0);
		err = run_line(x, i, &run);
		json_decref(run.doc);
		if (err == ST_USAGE)
			err = error_usage("%s", x->why);
		else if (err == ST_UNAVAILABLE)
			err = error_unavailable("%s", x->why);
		else if (err)
			err = error_report("%s", x->why);
	}
	x->block_s = clock_wall() - begun;
	return err;
}

int experiment_open(struct experiment *x, const struct run_lines *lines,
		    const struct output_options *o, const char *resumed, uint64_t seed)
{
	json_t *head;
	size_t i;
	json_t *run;
	int err;

	*x = (struct experiment){ .lines = lines,
				  .runs = json_array(),
				  .seed = seed,
				  .failed = memory_new(lines->n, sizeof(*x->failed)),
				  .begun = clock_wall() };
	progress_begin(&x->progress, o->quiet);
	child_block_signals(&x->watched);
	err = resumed ? resume_experiment(x, resumed) : ST_OK;
	rng_seed(&x->padding, seed);
	rng_seed(&x->order, ~seed + x->blocks);
	if (!err)
		err = runs_journal_open(&x->journal, o, resumed);
	if (err)
		return err;
	head = runs_journal_head(lines, seed);
	runs_journal_add(&x->journal, head);
	json_decref(head);
	json_array_foreach(x->runs, i, run)
		runs_journal_add(&x->journal, run);
	return run_uncounted(x);
}

json_t *experiment_warnings(const struct experiment *x)
{
	json_t *warnings = json_array();

	for (size_t i = 0; i < x->lines->n; i++)
		if (x->failed[i])
			json_array_append_new(
				warnings, json_sprintf("%zu run%s of %s failed: its block is void",
						       x->failed[i], x->failed[i] == 1 ? "" : "s",
						       x->lines->at[i].label));
	return warnings;
}

void experiment_close(struct experiment *x, bool written)
{
	progress_clear(&x->progress);
	runs_journal_close(&x->journal, written || !json_array_size(x->runs));
	for (size_t i = 0; x->lines && i < x->blocks * x->lines->n; i++)
		free((char *)(uintptr_t)x->results[i].name);
	free(x->results);
	free(x->failed);
	json_decref(x->runs);
	*x = (struct experiment){ .blocks = 0 };
}
