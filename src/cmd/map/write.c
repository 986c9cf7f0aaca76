/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/map/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analyse/map/judge.h"
#include "base/clock.h"
#include "base/error.h"
#include "cmd/map/conclude.h"
#include "cmd/map/evidence.h"
#include "cmd/map/read/classes.h"
#include "cmd/map/read/from.h"
#include "cmd/map/rows.h"
#include "config.h"
#include "host/record.h"
#include "result/out.h"
#include "show/map/summary.h"
#include "show/map/words.h"

/* The argument of put_row: the report on a judged file. */
struct reporting {
	struct outlets *report;
	const struct record *rec;
};

static int put_row(void *arg, const struct row *row)
{
	const struct reporting *r = arg;

	return report_row(r->report, r->rec, row);
}

/*
 * Writes the result in the formats of --format and to the files of --output. Returns ST_OK or an
 * exit status.
 */
static int write_result(const struct settings *st, const struct texts *from,
			const struct verdicts *all)
{
	const struct study *s = all->s;
	char title[512], more[32] = "", *words;
	json_t *here = host_collect(), *env;
	json_t *version = json_object_get(here, "netbench"), *time = json_object_get(here, "time");
	struct record rec = {
		.command = "map", .definition = "map.v1", .title = title,
		.computed = s->computed, .emulated = s->emulated, .cols = map_columns,
		.ncols = MAP_NCOLUMNS, .words = true, .brief = MAP_DIGITS, .options = st->options,
		.summary = json_object(), .warnings = json_array(), .status = "incomplete",
	};
	struct outlets *r = NULL;
	struct reporting reporting = { .rec = &rec };
	const struct pair_rows to = { &rec, put_row, &reporting };
	int err, closed;

	/* the environment of the measurement, if known, plus the environment of judging */
	env = s->environment ? json_deep_copy(s->environment)
			     : json_pack("{s:O, s:O}", "netbench", version, "time", time);
	json_object_set_new(env, "reevaluation", json_pack("{s:s, s:O, s:O}", "file", from->v[0],
							   "netbench", version, "time", time));
	rec.environment = env;
	if (from->n > 1)
		snprintf(more, sizeof(more), " and %zu more", from->n - 1);
	snprintf(title, sizeof(title), "netbench %s map: %u hosts, %u visit%s, from '%s'%s%s",
		 NETBENCH_VERSION, s->n, s->nvisits, s->nvisits == 1 ? "" : "s",
		 from->v[0], more, s->computed ? " (computed)" : "");
	err = report_open(&r, &st->output);
	reporting.report = r;
	if (!err)
		err = report_begin(r, &rec);
	if (!err)
		err = map_write_rows(s, &st->output, &to);
	summary_put(rec.summary, all);
	words = words_report(all, title, (enum rate_unit)st->output.rate_unit);
	rec.footer = words;
	rec.status = "complete";
	if (!err)
		err = report_end(r, &rec);
	closed = report_close(r, !err);
	json_decref(here);
	json_decref(env);
	json_decref(rec.summary);
	json_decref(rec.warnings);
	free(words);
	return err ? err : closed;
}

/*
 * Prints the elapsed time and the processor time since the previous call. `done` names the step
 * that took this time. If `done` is NULL, only starts the clocks.
 */
static void print_step_time(const char *done, double since[2])
{
	double now[] = { clock_wall(), (double)clock() / CLOCKS_PER_SEC };

	if (done)
		error_note("%s in %.2f s, %.2f s of a processor", done, now[0] - since[0],
			   now[1] - since[1]);
	since[0] = now[0];
	since[1] = now[1];
}

int map_judge_file(const struct settings *st)
{
	const struct map_options *o = st->own;
	struct study s = { .n = 0 };
	struct verdicts all = { .s = &s, .rules = { .limits = thresholds_for(o->min_effect / 100),
						    .seed = 1 } };
	struct judging j;
	double since[2];
	int err = map_check_options(o);

	if (!err)
		err = report_check(&st->output);
	if (!err && o->write_exclude)
		err = out_check_file(o->write_exclude, out_advice(st->output.overwrite));
	print_step_time(NULL, since);
	if (!err)
		err = from_read(o, settings_given(st, "from-unit"), &s);
	if (!err)
		err = classes_find(o, &s);
	if (!err) {
		print_step_time("read", since);
		judge_open(&j, &all);
		err = judge_close(&j);
	}
	if (!err)
		err = evidence_find(&all);
	if (!err) {
		print_step_time("judged", since);
		err = write_result(st, &o->from, &all);
	}
	if (!err)
		err = map_conclude(o, &st->output, &all);
	verdicts_free(&all);
	study_free(&s);
	return err;
}
