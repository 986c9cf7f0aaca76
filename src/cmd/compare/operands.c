/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/compare/operands.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/runs/kept.h"
#include "base/error.h"
#include "base/values.h"
#include "result/document.h"
#include "result/reader.h"

/* ---- reading ---- */

static void add_operand(struct operands_read *in, const char *path, json_t *doc)
{
	in->at = memory_grow(in->at, in->n, sizeof(*in->at));
	in->at[in->n++] = (struct operand){ path, json_incref(doc), in->files, in->grouped };
}

/*
 * Adds the results of all runs in `doc`, a result of 'netbench runs'. Returns ST_OK or an error
 * (reported).
 */
static int add_runs(struct operands_read *in, const char *path, const json_t *doc)
{
	size_t before = in->n, i;
	json_t *member;

	json_array_foreach(document_runs(doc), i, member) {
		struct kept_run run;
		int err = kept_run_read(path, member, &run);

		if (!err && run.counted && run.command)
			err = error_usage("'%s' has runs of several commands and compares them "
					  "itself", path);
		if (err)
			return err;
		if (run.counted)
			add_operand(in, path, run.doc);
	}
	if (in->n == before)
		return error_usage("'%s' keeps no runs: only JSON of 'netbench runs' keeps "
				   "them", path);
	in->several |= in->n > before + 1;
	return ST_OK;
}

static int read_file(struct operands_read *in, const char *path)
{
	json_t *doc = NULL;
	int err = result_read(path, &doc);

	if (!err && !strcmp(document_command(doc), "runs"))
		err = add_runs(in, path, doc);
	else if (!err)
		add_operand(in, path, doc);
	json_decref(doc);
	in->files++;
	return err;
}

int operands_read(struct operands_read *in, int n, char **operands)
{
	int err = ST_OK;

	*in = (struct operands_read){ .n = 0 };
	for (int i = 0; i < n && !err; i++) {
		bool dashes = !strcmp(operands[i], "--");

		if (dashes && in->grouped)
			err = error_usage("more than one '--' between results");
		else if (dashes)
			/* a "--" before all files only ends the options */
			in->grouped = in->files > 0;
		else
			err = read_file(in, operands[i]);
	}
	return err;
}

void operands_free(struct operands_read *in)
{
	for (size_t i = 0; i < in->n; i++)
		json_decref(in->at[i].doc);
	free(in->at);
	*in = (struct operands_read){ .n = 0 };
}

int spread_read(const char *path, const struct measure *m, json_t **doc)
{
	int err = result_read(path, doc);

	if (!err && !result_has(*doc, columns[COL_RUN_SPREAD].name))
		return error_usage("'%s' is no result of 'netbench runs'", path);
	if (!err && strcmp(result_text(document_summary(*doc), "measure"), columns[m->id].name))
		return error_usage("'%s' has the spread of '%s', not of '%s'", path,
				   result_text(document_summary(*doc), "measure"),
				   columns[m->id].name);
	return err;
}

/* ---- arranging ---- */

static void set_side(struct two *two, int side, const struct operand *from)
{
	two->path[side] = from->path;
	two->doc[side] = from->doc;
}

static int arrange_turns(const struct operands_read *in, struct compared *all)
{
	if (in->grouped || in->several)
		return error_usage("'--paired' is only for single results in turns, A B A B ...");
	if (in->n < 2 || in->n % 2)
		return error_usage("expected results in turns, A B A B ...: %d file%s given",
				   in->files, in->files == 1 ? "" : "s");
	for (size_t i = 0; i < in->n; i++) {
		set_side(&all->two[i / 2], (int)(i % 2), &in->at[i]);
		all->two[i / 2].next = i + 2 < in->n ? &all->two[i / 2 + 1] : NULL;
	}
	return ST_OK;
}

/*
 * Pairs the k-th result of A with the k-th result of B. If one group is longer, its last pairs lack
 * the other side. Returns ST_OK or ST_USAGE (reported).
 */
static int arrange_groups(const struct operands_read *in, struct compared *all)
{
	size_t n[2] = { 0, 0 };

	for (size_t i = 0; i < in->n; i++) {
		int side = in->grouped ? in->at[i].second : in->at[i].file;

		set_side(&all->two[n[side]++], side, &in->at[i]);
	}
	if (!n[A] || !n[B])
		return error_usage("expected results on both sides of '--', A... -- B...");
	for (size_t i = 0; i + 1 < n[A] || i + 1 < n[B]; i++)
		all->two[i].next = &all->two[i + 1];
	return ST_OK;
}

static int arrange_each(const struct operands_read *in, struct compared *all)
{
	if (in->n < 2)
		return error_usage("expected two results or more, A and B: %d file%s given",
				   in->files, in->files == 1 ? "" : "s");
	if (in->several)
		return error_usage("results of 'netbench runs' are compared two at a time, or with "
				   "'--' between those of A and of B");
	all->n = in->n - 1;
	for (size_t i = 1; i < in->n; i++) {
		set_side(&all->two[i - 1], A, &in->at[0]);
		set_side(&all->two[i - 1], B, &in->at[i]);
	}
	return ST_OK;
}

int operands_arrange(const struct operands_read *in, bool paired, struct compared *all)
{
	*all = (struct compared){ .two = memory_new(in->n, sizeof(*all->two)), .n = 1 };
	if (paired) {
		all->as = IN_TURNS;
		return arrange_turns(in, all);
	}
	if (in->grouped || (in->several && in->files == 2)) {
		all->as = IN_GROUPS;
		return arrange_groups(in, all);
	}
	return arrange_each(in, all);
}
